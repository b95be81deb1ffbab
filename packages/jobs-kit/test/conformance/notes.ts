import { randomUUID } from 'node:crypto'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { defineJob } from '@sidelinja/jobs-core'
import type { TestDatabase } from '@sidelinja/jobs-core/testing'
import { defineHandler, type HandlerContext, type HandlerReturn, type WriteTransaction } from '@sidelinja/jobs-core/worker'
import { sql } from 'kysely'
import { inject } from 'vitest'
import { z } from 'zod'
import { createServices, type HandlerPackage, type Services } from '../../src/index.ts'
import type { ConformanceOptions } from '../../src/testing/index.ts'

const payload = z.object({ nodeId: z.uuid(), path: z.string().min(1) })

/** A job type that keeps every rule: each line of a text file becomes a note about a node. The tests break one rule at a time. */
export const storeNotes = defineJob({ type: 'store_notes', payload, timeoutMs: 60_000 })

export type Context = HandlerContext<z.output<typeof payload>>
export type Run = (context: Context, services: Services) => Promise<HandlerReturn>

export const goodRun: Run = async (context, services) => {
  const lines = await readLines(context, services)
  return {
    result: { notes: lines.length },
    write: async (trx) => {
      await deleteNotes(trx, context.job.collectionNodeId, context.payload.nodeId)
      await insertNotes(trx, context.job.collectionNodeId, context.payload.nodeId, lines)
    },
  }
}

export async function readLines({ payload, job, signal }: Context, { collections, logs }: Services): Promise<string[]> {
  signal.throwIfAborted()
  await collections.readSettings(job.collectionNodeId)
  signal.throwIfAborted()
  const file = await logs.open(payload.path)
  try {
    const text = await file.readFile({ encoding: 'utf8', signal })
    return text.trim().split('\n')
  } finally {
    await file.close()
  }
}

export async function deleteNotes(trx: WriteTransaction, collectionNodeId: string, nodeId: string): Promise<void> {
  await sql`delete from notes where collection_node_id = ${collectionNodeId} and node_id = ${nodeId}`.execute(trx)
}

export async function insertNotes(
  trx: WriteTransaction,
  collectionNodeId: string,
  nodeId: string,
  lines: readonly string[],
): Promise<void> {
  for (const line of lines) {
    await sql`insert into notes (collection_node_id, node_id, line) values (${collectionNodeId}, ${nodeId}, ${line})`.execute(trx)
  }
}

export function notesPackage(run: Run = goodRun): HandlerPackage {
  return {
    definition: storeNotes,
    createHandler: (services) => defineHandler(storeNotes, (context) => run(context, services)),
  }
}

/** A second collection's things in a table that some handler of the same database wrote. */
export async function arrangeNotes(
  { pool }: TestDatabase,
  sandboxFolder: string,
): Promise<{ collectionNodeId: string; payload: { nodeId: string; path: string } }> {
  await pool.query(`create table if not exists notes (
    id bigint generated always as identity, collection_node_id uuid not null, node_id uuid not null, line text not null)`)
  const [collectionNodeId, nodeId] = [randomUUID(), randomUUID()]
  await pool.query(`insert into nodes (id, kind) values ($1, 'collection'), ($2, 'episode')`, [collectionNodeId, nodeId])
  await writeFile(join(sandboxFolder, 'notes.txt'), 'first\nsecond\n')
  return { collectionNodeId, payload: { nodeId, path: 'notes.txt' } }
}

export interface PackageFiles {
  name?: string
  exports?: Record<string, string>
  readme?: string
}

export async function writePackage({
  name = '@sidelinja/handler-store-notes',
  exports = { '.': 'x', './job': 'y' },
  readme,
}: PackageFiles = {}): Promise<URL> {
  const folder = await mkdtemp(join(tmpdir(), 'package-'))
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name, exports }))
  await writeFile(join(folder, 'README.md'), readme ?? '`store_notes` stores notes. A missing file is permanent.')
  return pathToFileURL(folder)
}

export function notesOptions(packageFolder: URL, overrides: Partial<ConformanceOptions> = {}): ConformanceOptions {
  return {
    package: notesPackage(),
    packageFolder,
    server: inject('server'),
    createServices: ({ db }, sandboxFolder) => createServices({ db, logRoot: sandboxFolder }),
    arrange: arrangeNotes,
    badPayloads: [{}, { nodeId: 'no uuid', path: 'notes.txt' }, { nodeId: randomUUID(), path: '' }],
    ignoreColumns: ['notes.id'],
    ...overrides,
  }
}
