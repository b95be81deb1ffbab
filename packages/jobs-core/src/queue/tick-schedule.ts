import { sql } from 'kysely'
import type { QueueConnection } from '../database/queue-connection.ts'
import { statement } from '../database/statement.ts'

export interface TickSchedule {
  id: string
  /** As it was read: the fence. */
  revision: number
  /** In order. Empty: only the next tick is noted. */
  ticks: readonly Date[]
  /** Null: it never ticks again. */
  nextAt: Date | null
}

/** What became of one tick. */
export interface Ticked {
  tick_at: Date
  job_id: string
  /** `kept`: a job of the schedule was still waiting. */
  outcome: 'created' | 'kept'
}

type Row = Ticked | { tick_at: null; job_id: null; outcome: null }

const query = statement<TickSchedule, Row>(
  'jobs_tick_schedule',
  (p) => sql`
    select tick_at, job_id, outcome
    from tick_job_schedule(${p('id')}::uuid, ${p('revision')}::int, ${p('ticks')}::timestamptz[], ${p('nextAt')}::timestamptz)`,
)

/** Enqueues the ticks and moves the schedule on, in one statement. Undefined when somebody else was first. */
export async function tickSchedule(queue: QueueConnection, tick: TickSchedule): Promise<Ticked[] | undefined> {
  const rows = await queue.run(query(tick))
  return rows.length === 0 ? undefined : rows.filter((row) => row.outcome !== null)
}
