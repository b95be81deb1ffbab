import { randomUUID } from 'node:crypto'
import { type Insertable, type Selectable, sql } from 'kysely'
import type { Queryable } from '../../database/queryable.ts'
import type { JobWorkersTable } from '../../database/tables.ts'
import { builder, readRows } from '../read-rows.ts'

/** Columns of a worker's row, by their names in the table. */
export type WorkerColumns = Partial<Insertable<JobWorkersTable>>

/**
 * Inserts the row of a worker that is nothing but a row: alive, with a lease of an hour. With a `lease_expires_at` gone by it is
 * one that died, whose jobs the next real worker takes back.
 */
export async function insertWorker(db: Queryable, columns: WorkerColumns = {}): Promise<Selectable<JobWorkersTable>> {
  const inAnHour = sql<Date>`clock_timestamp() + interval '1 hour'`
  const [worker] = await readRows(
    db,
    builder()
      .insertInto('job_workers')
      .values({ id: randomUUID(), host: 'test', types: [], lease_expires_at: inAnHour, ...columns })
      .returningAll()
      .compile(),
  )
  return worker as Selectable<JobWorkersTable>
}
