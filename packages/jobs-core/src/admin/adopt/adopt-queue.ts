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

/** Long enough for an autovacuum to give way, which it does after a second. Everybody waits through the takeover anyway. */
const takeoverLockTimeout = '2s'
/** Nobody waits behind a lock of this kind. */
const checkLockTimeout = '10s'

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
  await applyTogether(client, takeover, { ...settings, lock_timeout: takeoverLockTimeout }).catch((error) =>
    explain(client, options, error),
  )
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

/** The steps that lock nobody out and are still to come, where an adoption was begun. */
export function unfinishedSteps(applied: ReadonlyMap<string, string>): string[] {
  return applied.has(TAKEOVER) ? AFTER_STEPS.filter((step) => !applied.has(step)) : []
}

/**
 * Does the unfinished steps.
 * @throws ConfigurationError `QUEUE_BUSY`
 */
export async function finishAdoption(client: PoolClient, applied: ReadonlyMap<string, string>, onApplied: OnApplied): Promise<void> {
  const names = unfinishedSteps(applied)
  const files = names.length > 0 ? await readFiles() : []
  for (const name of names) {
    await applyUnlessBroken(client, find(files, name))
    onApplied(name)
  }
}

/** A check that old rows do not pass stays NOT VALID: those are finished jobs, and the plan has said so. */
async function applyUnlessBroken(client: PoolClient, migration: Migration): Promise<void> {
  const settings = { statement_timeout: '0', ...(migration.name.endsWith('_valid') && { lock_timeout: checkLockTimeout }) }
  try {
    await (migration.transactional ? applyTogether(client, [migration], settings) : applyMigration(client, migration))
  } catch (error) {
    if (sqlState(error) === lockNotAvailable) {
      throw new ConfigurationError(
        'QUEUE_BUSY',
        `The queue is adopted and works, but ${migration.name} is still to come: job_queue or nodes could not be locked. Run migrate again at a quieter time.`,
        { cause: error },
      )
    }
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
