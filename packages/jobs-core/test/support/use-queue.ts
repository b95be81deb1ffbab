import type { Insertable, Kysely, Selectable } from 'kysely'
import type { Pool } from 'pg'
import { afterAll, afterEach, beforeAll, inject } from 'vitest'
import type { JobAttemptsTable, JobQueueTable, QueueDatabase } from '../../src/database/tables.ts'
import { clearQueue, createTestDatabase, insertNode, type TestDatabase } from '../../src/testing/index.ts'
import { createWorker, type Handler, type Worker, type WorkerEvent, type WorkerOptions } from '../../src/worker/index.ts'
import { createLogin, installRoles, type LoginRole } from './login-role.ts'

export type Job = Selectable<JobQueueTable>
type RowColumns = Partial<Insertable<JobQueueTable>> & { collection_node_id: string }
type EventNamed<Name> = Extract<WorkerEvent, { name: Name }>

/** A database of the test file's own, with one collection; emptied and its workers stopped after each test. */
export interface TestQueue {
  readonly database: TestDatabase
  readonly db: Kysely<QueueDatabase>
  readonly pool: Pool
  /** What workers connect with. `pool` and `db` are the superuser's. */
  readonly connectionString: string
  readonly collectionNodeId: string
  /** What all workers of this test said so far. */
  readonly events: readonly WorkerEvent[]
  startWorker(handlers: readonly Handler[], options?: Partial<WorkerOptions>): Promise<Worker>
  /** Resolves with the first event of this name that fits, also one that came before. */
  event<Name extends WorkerEvent['name']>(name: Name, fits?: (event: EventNamed<Name>) => boolean): Promise<EventNamed<Name>>
  named<Name extends WorkerEvent['name']>(name: Name): EventNamed<Name>[]
  /** A row as given, in the collection, past every rule: what statements are tested with. For jobs as the queue leaves them use insertJob. */
  insert(columns?: Partial<Insertable<JobQueueTable>>): Promise<Job>
  job(id: string): Promise<Job>
  attempts(id: string): Promise<Selectable<JobAttemptsTable>[]>
  /** Resolves when the workers sleep for good: marked as idle, their early polls over, and nothing on the way. */
  untilAsleep(): Promise<void>
  /** Milliseconds from the database's now to the job's scheduled_for. */
  dueInMs(id: string): Promise<number>
}

const asleep = `
  select from job_workers having count(*) > 0 and bool_and(idle) and not exists (
    select from pg_stat_activity a where a.datname = current_database() and a.application_name = 'sidelinja-jobs'
      and (a.state <> 'idle' or a.state_change > clock_timestamp() - interval '350 ms'))`

async function insertRow(db: Kysely<QueueDatabase>, columns: RowColumns): Promise<Job> {
  const row = { job_type: 'test_job', payload: '{}', ...columns }
  return db.insertInto('job_queue').values(row).returningAll().executeTakeFirstOrThrow()
}

let bindsWorkers = false

/** From here on workers run as a member of queue_worker, under row-level security. See as-queue-worker.ts. */
export function bindWorkers(): void {
  bindsWorkers = true
}

export function useQueue(): TestQueue {
  let database: TestDatabase
  let login: LoginRole | undefined
  let collectionNodeId = ''
  const workers: Worker[] = []
  const events: WorkerEvent[] = []
  const listeners = new Set<(event: WorkerEvent) => void>()

  beforeAll(async () => {
    database = await createTestDatabase(inject('server'))
    collectionNodeId = (await insertNode(database.db)).id
    if (bindsWorkers) login = await loginAsWorker(database)
  })
  afterEach(async () => {
    await Promise.all(workers.splice(0).map((worker) => worker.stop()))
    await clearQueue(database)
    events.splice(0)
    listeners.clear()
  })
  afterAll(async () => {
    await database.drop()
    await login?.drop()
  })

  return {
    get database() {
      return database
    },
    get db() {
      return database.db
    },
    get pool() {
      return database.pool
    },
    get connectionString() {
      return login?.connectionString ?? database.connectionString
    },
    get collectionNodeId() {
      return collectionNodeId
    },
    events,
    async startWorker(handlers, options = {}) {
      const onEvent = (event: WorkerEvent) => {
        events.push(event)
        for (const listener of listeners) listener(event)
      }
      const worker = createWorker({ connection: this.connectionString, handlers, drainMs: 1_000, onEvent, ...options })
      workers.push(worker)
      await worker.start()
      return worker
    },
    event: (name, fits = () => true) =>
      new Promise((resolve) => {
        const look = (event: WorkerEvent) => {
          if (event.name === name && fits(event as never)) resolve(event as never)
        }
        events.forEach(look)
        listeners.add(look)
      }),
    named: (name) => events.filter((event) => event.name === name) as never,
    insert: (columns = {}) => insertRow(database.db, { collection_node_id: collectionNodeId, ...columns }),
    job: (id) => database.db.selectFrom('job_queue').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
    attempts: (id) => database.db.selectFrom('job_attempts').selectAll().where('job_id', '=', id).orderBy('id').execute(),
    async untilAsleep() {
      while ((await database.pool.query(asleep)).rows.length === 0) await new Promise((resolve) => setTimeout(resolve, 20))
    },
    async dueInMs(id) {
      const { rows } = await database.pool.query(
        'select extract(epoch from scheduled_for - clock_timestamp()) * 1000 as ms from job_queue where id = $1',
        [id],
      )
      return Number(rows[0].ms)
    },
  }
}

/** Tables that a test makes are like a stranger's: granted, and without policies. */
async function loginAsWorker(database: TestDatabase): Promise<LoginRole> {
  await installRoles(database)
  await database.query('alter default privileges grant select, insert, update, delete on tables to queue_worker')
  return createLogin(inject('server').connectionString, database, 'queue_worker')
}
