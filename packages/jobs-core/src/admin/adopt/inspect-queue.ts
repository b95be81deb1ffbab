import type { PoolClient } from 'pg'
import type { QueueSession } from './adoption.ts'
import { relation, shapeOf } from './catalogue.ts'
import { countBrokenRows } from './count-broken-rows.ts'
import { countJobs } from './count-jobs.ts'
import { addedRelations } from './expected-columns.ts'
import type { CatalogueFacts, RowFacts } from './facts.ts'
import { findBrokenRows } from './find-broken-rows.ts'
import { findSessions } from './find-sessions.ts'
import { readColumns } from './read-columns.ts'
import { readConstraints } from './read-constraints.ts'
import { readDependents } from './read-dependents.ts'
import { readRelations } from './read-relations.ts'
import { readSchemas } from './read-schemas.ts'
import { readStatusType } from './read-status-type.ts'
import { readTenants } from './read-tenants.ts'
import { readTriggers } from './read-triggers.ts'
import { readUniqueKeys } from './read-unique-keys.ts'
import { rowRules } from './row-rules.ts'

export interface Inspection {
  facts: CatalogueFacts
  /** Null when the table's form does not let its rows be read. */
  rows: RowFacts | null
  connected: QueueSession[]
}

/**
 * Reads everything a plan depends on, in one transaction that cannot write.
 * @param readable whether the rows can be read, as the catalogue stands.
 */
export async function inspectQueue(
  client: PoolClient,
  { readable, collectionNodeId }: { readable: (facts: CatalogueFacts) => boolean; collectionNodeId: string | undefined },
): Promise<Inspection> {
  await client.query('begin isolation level repeatable read read only')
  try {
    await client.query('set local statement_timeout = 0')
    const connected = await findSessions(client)
    const facts = await readCatalogue(client)
    return { facts, rows: readable(facts) ? await readRows(client, facts, collectionNodeId) : null, connected }
  } finally {
    await client.query('rollback')
  }
}

async function readCatalogue(client: PoolClient): Promise<CatalogueFacts> {
  const tables = ['job_queue', 'nodes', 'workspaces']
  const schemas = await readSchemas(client)
  // The steps see no other schema either.
  await client.query(`select set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true)`)
  return {
    ...schemas,
    relations: await readRelations(client, [...tables, ...addedRelations]),
    columns: await readColumns(client, tables),
    uniqueKeys: await readUniqueKeys(client, tables),
    statusType: await readStatusType(client),
    constraints: await readConstraints(client),
    dependents: await readDependents(client),
    triggers: await readTriggers(client),
  }
}

async function readRows(client: PoolClient, facts: CatalogueFacts, collectionNodeId: string | undefined): Promise<RowFacts> {
  const counts = await countJobs(client)
  const broken: RowFacts['broken'] = []
  for (const { rule, count } of await countBrokenRows(client, rowRules(facts.columns.filter(({ table }) => table === 'job_queue')))) {
    broken.push({ rule, count, examples: await findBrokenRows(client, rule) })
  }
  return {
    jobs: Object.fromEntries(counts.map(({ status, jobs }) => [status ?? 'null', jobs])),
    untimed: counts.reduce((sum, { untimed }) => sum + untimed, 0),
    startedMsAgo: counts.find(({ status }) => status === 'running')?.startedMsAgo ?? null,
    broken,
    tenants: await readTenants(client, {
      ...{ shape: shapeOf(facts), collectionNodeId },
      ...{ nodes: relation(facts, 'nodes') !== undefined, workspaces: relation(facts, 'workspaces') !== undefined },
    }),
  }
}
