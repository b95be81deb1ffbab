import { randomUUID } from 'node:crypto'
import type { Insertable, Selectable } from 'kysely'
import { afterAll, beforeAll } from 'vitest'
import type { Schedule } from '../../src/admin/index.ts'
import { openQueueConnection, type QueueConnection } from '../../src/database/queue-connection.ts'
import type { JobSchedulesTable, JobScheduleTicksTable } from '../../src/database/tables.ts'
import type { WorkerEvent } from '../../src/worker/index.ts'
import { type TickedSchedules, tickSchedules } from '../../src/worker/tick-schedules.ts'
import type { Job, TestQueue } from './use-queue.ts'

/** Schedules as psql would insert them, and a scheduler that looks when it is told to. */
export interface TestSchedules {
  readonly connection: QueueConnection
  insert(columns?: Partial<Insertable<JobSchedulesTable>>): Promise<Schedule>
  row(id: string): Promise<Schedule>
  ticks(id: string): Promise<Selectable<JobScheduleTicksTable>[]>
  /** Jobs of the type, oldest tick first. */
  jobs(type: string): Promise<Job[]>
  /** One look, as a worker does it between polls; what it said. */
  look(): Promise<TickedSchedules & { events: WorkerEvent[] }>
  /** The database's time, plus so many milliseconds. */
  inMs(ms: number): Promise<Date>
}

export function useSchedules(queue: TestQueue): TestSchedules {
  let connection: QueueConnection
  beforeAll(() => {
    connection = openQueueConnection({ connectionString: queue.connectionString }, 10)
  })
  afterAll(() => connection.close())
  return {
    get connection() {
      return connection
    },
    insert: (columns = {}) =>
      queue.db
        .insertInto('job_schedules')
        .values({
          ...{ collection_node_id: queue.collectionNodeId, name: randomUUID(), job_type: 'test_job' },
          ...(columns.cron ? {} : { every_seconds: 3_600 }),
          ...columns,
        })
        .returningAll()
        .executeTakeFirstOrThrow(),
    row: (id) => queue.db.selectFrom('job_schedules').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
    ticks: (id) => queue.db.selectFrom('job_schedule_ticks').selectAll().where('schedule_id', '=', id).orderBy('tick_at').execute(),
    jobs: (type) => queue.db.selectFrom('job_queue').selectAll().where('job_type', '=', type).orderBy('scheduled_for').execute(),
    async look() {
      const events: WorkerEvent[] = []
      const ticked = await tickSchedules({ queue: connection, emit: (event) => events.push(event), failed: new Map() })
      return { ...ticked, events }
    },
    async inMs(ms) {
      const { rows } = await queue.pool.query(`select date_trunc('milliseconds', clock_timestamp()) + $1::float8 * interval '1 ms' as at`, [
        ms,
      ])
      return rows[0].at
    },
  }
}
