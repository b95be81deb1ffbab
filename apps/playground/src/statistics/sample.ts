import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { statsParse, statsParseKey, statsParseSchedule } from '@sidelinja/handler-stats-parse/job'
import { enqueue } from '@sidelinja/jobs-core'
import { upsertSchedule } from '@sidelinja/jobs-core/admin'
import type { CollectionSettingsInput } from '@sidelinja/jobs-kit'
import type pg from 'pg'
import { COLLECTION_ID } from '../collection.ts'
import type { PlaygroundDatabase } from '../database.ts'
import { keepFile } from '../keep-file.ts'
import { daysToYesterday, shiftLog } from './shift-log.ts'

const LOG_NAME = 'caddy.log'
const EVERY_MINUTES = 15

const TIME_ZONE = 'Europe/Oslo'
const shippedLog = new URL('../../samples/caddy.log', import.meta.url)

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
export async function prepareSample(pool: pg.Pool, { logRoot }: PlaygroundDatabase): Promise<void> {
  const { rows } = await pool.query<{ days: number }>(
    `select (metadata #>> '{playground,shiftedDays}')::int as days from nodes where id = $1`,
    [COLLECTION_ID],
  )
  const log = await readFile(shippedLog, 'utf8')
  const days = rows[0]?.days ?? daysToYesterday(log, await databaseTime(pool), TIME_ZONE)
  if (rows.length === 0 || !existsSync(join(logRoot, LOG_NAME))) await keepFile(logRoot, LOG_NAME, shiftLog(log, days))
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

async function databaseTime(pool: pg.Pool): Promise<Date> {
  const { rows } = await pool.query<{ now: Date }>('select now()')
  return rows[0]?.now ?? new Date()
}
