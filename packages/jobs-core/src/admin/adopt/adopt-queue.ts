import type { PoolClient } from 'pg'
import { isConnectionLoss, sqlState } from '../../database/sql-state.ts'
import { ConfigurationError } from '../../errors/configuration-error.ts'
import { applyMigration, applyTogether, recordMigration } from '../migrate/apply-migration.ts'
import { queueMigrations } from '../migrate/migration-source.ts'
import { type Migration, readMigrations } from '../migrate/read-migrations.ts'
import type { Adoption, AdoptionStep, AdoptOptions } from './adoption.ts'
import { planAdoption } from './plan-adoption.ts'
import { AFTER_STEPS } from './plan-steps.ts'
import { describeConnected, refuseAdoption } from './refuse-adoption.ts'

type OnApplied = (name: string) => void

const checkViolation = '23514'
const lockNotAvailable = '55P03'
const TAKEOVER = 'queue/adopt/0010_columns'

/**
 * The steps up to the moment when the table is ours. What then is left, `finishAdoption` does, now or at the next run.
 * @throws ConfigurationError `ADOPTION_IMPOSSIBLE`, `ADOPTION_FAILED`, `QUEUE_BUSY`
 */
export async function takeOver(client: PoolClient, adoption: Adoption, options: AdoptOptions, onApplied: OnApplied): Promise<void> {
  const files = await readFiles()
  const part = (wanted: AdoptionStep['part']) => adoption.steps.filter((step) => step.part === wanted).map(({ name }) => find(files, name))
  const settings = { 'jobs.adopt_collection': options.collectionNodeId ?? '', statement_timeout: '0' }
  for (const migration of part('before')) {
    await applyTogether(client, [migration], settings)
    onApplied(migration.name)
  }
  const takeover = part('takeover')
  await applyTogether(client, takeover, settings).catch((error) => explain(client, options, error))
  for (const { name } of takeover) onApplied(name)
}

/** Everything has been undone. If the rows have changed since they were looked at, or somebody holds the lock, that is the answer. */
async function explain(client: PoolClient, options: AdoptOptions, error: unknown): Promise<never> {
  if (isConnectionLoss(error)) throw error
  const adoption = await planAdoption(client, options, new Set())
  refuseAdoption(adoption, { force: true })
  if (sqlState(error) === lockNotAvailable) {
    throw new ConfigurationError(
      'QUEUE_BUSY',
      `job_queue could not be locked, for somebody uses it all the time, or a vacuum is at work on it; it has not been changed. Stop them, or try again at a quieter time.\n${describeConnected(adoption).join('\n')}`,
      { cause: error },
    )
  }
  const { message, where } = error as { message?: string; where?: string }
  throw new ConfigurationError(
    'ADOPTION_FAILED',
    `PostgreSQL refused to change job_queue, and everything was undone: ${message}${where ? ` (${where.split('\n')[0]})` : ''}. Mend that, often a trigger or constraint of your own, and run it again.`,
    { cause: error },
  )
}

/** The steps that lock nobody out, in so far as an adoption was begun and they are still to come. */
export async function finishAdoption(client: PoolClient, applied: ReadonlyMap<string, string>, onApplied: OnApplied): Promise<void> {
  if (!applied.has(TAKEOVER)) return
  const files = await readFiles()
  for (const name of AFTER_STEPS.filter((step) => !applied.has(step))) {
    await applyUnlessBroken(client, find(files, name))
    onApplied(name)
  }
}

/** A check that old rows do not pass stays NOT VALID: those are finished jobs, and the plan has said so. */
async function applyUnlessBroken(client: PoolClient, migration: Migration): Promise<void> {
  try {
    await (migration.transactional ? applyTogether(client, [migration], { statement_timeout: '0' }) : applyMigration(client, migration))
  } catch (error) {
    if (sqlState(error) !== checkViolation) throw error
    await recordMigration(client, migration)
  }
}

async function readFiles(): Promise<Migration[]> {
  return readMigrations([queueMigrations, { name: 'queue/adopt', folder: new URL('adopt/', queueMigrations.folder) }])
}

function find(files: readonly Migration[], name: string): Migration {
  const found = files.find((migration) => migration.name === name)
  if (!found) throw new Error(`There is no file for the step ${name}.`)
  return found
}
