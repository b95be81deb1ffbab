import { defineJob } from '@sidelinja/jobs-core'
import { deleteSchedule, upsertSchedule } from '@sidelinja/jobs-core/admin'
import { payload } from '../process/payload.ts'
import type { Arena } from './arena.ts'

const plain = defineJob({ type: 'chaos_plain', payload })
const newest = `
  select count(*)::int as ticks, count(*) filter (where outcome = 'created' and not exists (select from job_queue q where q.id = t.job_id))::int as lost,
    coalesce(max(tick_at) > clock_timestamp() - interval '30 seconds', false) as ticking
  from job_schedule_ticks t`

/** A schedule that ticks every second, for workers to be killed in the middle of. */
export async function startSchedule({ pool, collectionNodeId }: Arena): Promise<void> {
  await upsertSchedule(pool, { collectionNodeId, name: 'chaos', job: plain, payload: { ms: 0 }, everySeconds: 1 }, 'all')
}

/** Whoever died in a tick, the series went on, and what a tick says that it enqueued is there. */
export async function endSchedule({ pool, collectionNodeId, complaints }: Arena): Promise<void> {
  const { rows } = await pool.query<{ ticks: number; lost: number; ticking: boolean }>(newest)
  const { ticks = 0, lost = 0, ticking = false } = rows[0] ?? {}
  if (ticks === 0 || !ticking) complaints.push(`the schedule ended after ${ticks} ticks`)
  if (lost > 0) complaints.push(`${lost} ticks name a job that is not there`)
  await deleteSchedule(pool, { collectionNodeId, name: 'chaos' }, 'all')
}
