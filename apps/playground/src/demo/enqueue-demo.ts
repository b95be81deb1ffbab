import { readFile } from 'node:fs/promises'
import { aiTextProcess } from '@sidelinja/handler-ai-text-process/job'
import { enqueue, type JobDefinition } from '@sidelinja/jobs-core'
import { upsertSchedule } from '@sidelinja/jobs-core/admin'
import type pg from 'pg'
import { COLLECTION_ID, NEWSROOM_ID } from '../collection.ts'
import { demoRender } from './demo-render.ts'

const DAY_MS = 86_400_000
const ZONE = 'Europe/Oslo'
const alive = ['pending', 'running', 'retry']

/** Makes the second collection, and what there is to see of each on the admin page: a job that runs, failed, is tried again, waits, is done. */
export async function enqueueDemo(pool: pg.Pool): Promise<void> {
  await pool.query(`insert into nodes (id, kind, title) values ($1, 'collection', 'Sample newsroom') on conflict (id) do nothing`, [
    NEWSROOM_ID,
  ])
  await enqueuePodcast(pool)
  await enqueueNewsroom(pool)
}

async function enqueuePodcast(pool: pg.Pool): Promise<void> {
  const put = putIn(pool, COLLECTION_ID)
  await put({ name: 'running', unless: alive, job: demoRender, payload: { title: 'Episode 12', seconds: 240 } })
  await put({
    name: 'failed',
    unless: [...alive, 'error'],
    job: demoRender,
    payload: { title: 'Episode 11', seconds: 3, firstRun: 'fails' },
  })
  await put({ name: 'again', unless: alive, job: demoRender, payload: { title: 'Episode 10', seconds: 3, firstRun: 'fails for now' } })
  await put({ name: 'tomorrow', unless: alive, job: demoRender, payload: { title: 'Episode 13', seconds: 30 }, scheduledFor: inADay() })
  await upsertSchedule(
    pool,
    {
      ...{ collectionNodeId: COLLECTION_ID, name: 'previews', job: demoRender, payload: { title: 'Preview', seconds: 240 } },
      ...{ everySeconds: 300, startsAt: new Date(Date.now() + 300_000) },
    },
    'all',
  )
}

async function enqueueNewsroom(pool: pg.Pool): Promise<void> {
  const put = putIn(pool, NEWSROOM_ID)
  const done = [...alive, 'completed']
  await put({ name: 'note', unless: done, job: aiTextProcess, payload: { mode: 'oppsummer', text: await readSample('notat.txt') } })
  await put({ name: 'notice', unless: done, job: aiTextProcess, payload: { mode: 'fakta', text: await readSample('oppslag.txt') } })
  await put({ name: 'running', unless: alive, job: demoRender, payload: { title: 'Evening news', seconds: 180 } })
  await put({
    name: 'failed',
    unless: [...alive, 'error'],
    job: demoRender,
    payload: { title: 'Morning news', seconds: 3, firstRun: 'fails' },
  })
  await put({ name: 'tomorrow', unless: alive, job: demoRender, payload: { title: 'Weekend news', seconds: 30 }, scheduledFor: inADay() })
  await upsertSchedule(
    pool,
    {
      ...{ collectionNodeId: NEWSROOM_ID, name: 'night news', job: demoRender, payload: { title: 'Night news', seconds: 60 } },
      ...{ cron: '15 3 * * *', timeZone: ZONE },
    },
    'all',
  )
}

interface Demo<Input> {
  name: string
  /** Where an earlier start's job of that name is in one of these, there is no second one. */
  unless: readonly string[]
  job: JobDefinition<Input, unknown>
  payload: NoInfer<Input>
  scheduledFor?: Date
}

function putIn(pool: pg.Pool, collectionNodeId: string) {
  return async <Input>({ name, unless, job, payload, ...options }: Demo<Input>) => {
    const correlationId = `demo: ${name}`
    const { rowCount } = await pool.query(
      `select from job_queue where collection_node_id = $1 and correlation_id = $2 and status::text = any ($3) limit 1`,
      [collectionNodeId, correlationId, unless],
    )
    if (rowCount === 0) await enqueue(pool, job, payload, { collectionNodeId, correlationId, ...options })
  }
}

function inADay(): Date {
  return new Date(Date.now() + DAY_MS)
}

async function readSample(file: string): Promise<string> {
  return await readFile(new URL(`../../samples/texts/${file}`, import.meta.url), 'utf8')
}
