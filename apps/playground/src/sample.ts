import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { statsParse, statsParseKey, statsParseSchedule } from '@sidelinja/handler-stats-parse/job'
import { ConfigurationError, enqueue } from '@sidelinja/jobs-core'
import { upsertSchedule } from '@sidelinja/jobs-core/admin'
import type { CollectionSettingsInput } from '@sidelinja/jobs-kit'
import type pg from 'pg'
import type { PlaygroundDatabase } from './database.ts'
import { daysToYesterday, shiftLog } from './shift-log.ts'

/** The sample's collection; a fixed id, so that every start finds it again. */
export const COLLECTION_ID = '5a1de11a-0000-4000-8000-000000000001'
const LOG_NAME = 'caddy.log'
const EVERY_MINUTES = 15

const TIME_ZONE = 'Europe/Oslo'
const OTHER_DATABASE = 'Create an empty database and name that one in DATABASE_URL.'
const shippedLog = new URL('../samples/caddy.log', import.meta.url)

const settings: CollectionSettingsInput = {
  timeZone: TIME_ZONE,
  statistics: {
    mediaPrefixes: ['/media/'],
    episodes: { '/media/ep001.mp3': { durationS: 720 }, '/media/ep002.mp3': { durationS: 117 } },
  },
}

/**
 * Makes the collection and its access log where they are missing. The log's times are moved by whole days, once for each database, so
 * that it ends yesterday: older days could not be counted, because their salts are gone.
 */
export async function prepareSample(pool: pg.Pool, { logRoot, ownServer }: PlaygroundDatabase, state: string): Promise<void> {
  await refuseForeignLogs(pool, ownServer ? `Delete the folder ${state} to begin anew.` : OTHER_DATABASE)
  const { rows } = await pool.query<{ days: number }>(
    `select (metadata #>> '{playground,shiftedDays}')::int as days from nodes where id = $1`,
    [COLLECTION_ID],
  )
  const log = await readFile(shippedLog, 'utf8')
  const days = rows[0]?.days ?? daysToYesterday(log, await databaseTime(pool), TIME_ZONE)
  if (rows.length === 0 || !existsSync(join(logRoot, LOG_NAME))) await keepLog(logRoot, shiftLog(log, days))
  await pool.query(
    `insert into nodes (id, kind, title, metadata) values ($1, 'collection', 'Sample podcast', $2) on conflict (id) do nothing`,
    [COLLECTION_ID, JSON.stringify({ jobs: settings, playground: { shiftedDays: days } })],
  )
}

/** Asks for the counts; a job of an earlier start that is not finished yet is used instead of a second one. */
export async function enqueueSample(pool: pg.Pool): Promise<string> {
  const { id } = await enqueue(
    pool,
    statsParse,
    { logPath: LOG_NAME },
    { collectionNodeId: COLLECTION_ID, unique: { key: statsParseKey({ logPath: LOG_NAME }), until: 'finished' } },
  )
  return id
}

/** And every 15 minutes from now on: a tick that passed between two starts would only run beside the job above. */
export async function scheduleSample(pool: pg.Pool): Promise<void> {
  const startsAt = new Date((await databaseTime(pool)).getTime() + EVERY_MINUTES * 60_000)
  const schedule = statsParseSchedule({ collectionNodeId: COLLECTION_ID, logPath: LOG_NAME, everyMinutes: EVERY_MINUTES })
  await upsertSchedule(pool, { ...schedule, startsAt }, 'all')
}

/** The playground's worker would look for the logs of others in its own sample folder, and fail their jobs. It runs no other type. */
async function refuseForeignLogs(pool: pg.Pool, advice: string): Promise<void> {
  const { rows } = await pool.query<{ foreign: boolean }>(
    `select exists (select from job_queue where job_type = $2 and collection_node_id <> $1 and status in ('pending', 'retry', 'running'))
         or exists (select from job_schedules where job_type = $2 and collection_node_id <> $1 and enabled) as foreign`,
    [COLLECTION_ID, statsParse.type],
  )
  if (!rows[0]?.foreign) return
  throw new ConfigurationError(
    'DATABASE_IN_USE',
    `The database holds ${statsParse.type} jobs or schedules of other collections, whose logs the playground does not have. ${advice}`,
  )
}

async function keepLog(logRoot: string, log: string): Promise<void> {
  try {
    await makeFolder(logRoot)
    // Renamed into place, so that an interrupted start leaves no half of it.
    await writeFile(join(logRoot, `${LOG_NAME}.new`), log)
    await rename(join(logRoot, `${LOG_NAME}.new`), join(logRoot, LOG_NAME))
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException
    if (code === 'ENOSPC') throw cause
    throw new ConfigurationError(
      'DATA_FOLDER_UNUSABLE',
      `${logRoot} cannot be used: ${message}. Expected a folder this user may create and write; choose another with --state.`,
      { cause },
    )
  }
}

/** Folder by folder: Node's own `recursive` never ends where the system says ENOENT for one whose parent is there, as below /proc. */
async function makeFolder(folder: string): Promise<void> {
  if (existsSync(folder)) return
  if (dirname(folder) !== folder) await makeFolder(dirname(folder))
  await mkdir(folder)
}

async function databaseTime(pool: pg.Pool): Promise<Date> {
  const { rows } = await pool.query<{ now: Date }>('select now()')
  return rows[0]?.now ?? new Date()
}
