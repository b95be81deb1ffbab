import { randomUUID } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { migrate } from '@sidelinja/jobs-core/admin'
import pg from 'pg'
import type { History } from '../history/history.ts'
import { type Note, openProcessLog, readProcessLogs, trueNow } from '../history/process-log.ts'
import { readHistory } from '../history/read-history.ts'
import { recordHistory } from '../history/record-history.ts'
import type { ProcessOptions } from '../process/options.ts'
import type { ChaosServer } from '../program/server.ts'
import type { Random } from '../random.ts'
import { overload } from './overload.ts'
import { type ChaosProcess, createProcesses, type Processes } from './processes.ts'
import { createWorkload, type Workload } from './workload.ts'

/** Where one fault is tried: a database of its own, with what runs on it. */
export interface Arena {
  readonly random: Random
  readonly server: ChaosServer
  readonly database: string
  readonly pool: pg.Pool
  readonly collectionNodeId: string
  readonly processes: Processes
  readonly workload: Workload
  /** Writes down what this program itself did. */
  readonly note: (note: Note) => void
  readonly times: Times
  /** How long the database was away from everybody. */
  readonly outages: [number, number][]
  /** How long it took until all went on, in milliseconds, where no process was silenced. */
  readonly recoveries: number[]
  /** Whatever else went wrong. */
  readonly complaints: string[]
  readonly signal: AbortSignal
  /** Starts a process; `options` are those that differ. */
  start(options?: Partial<ProcessOptions>): ChaosProcess
  /** All that is known. To be asked when nothing runs any more. */
  history(): Promise<History>
  close(): Promise<void>
}

/** How long things take here. */
export interface Times {
  leaseMs: number
  pollIntervalMs: number
  drainMs: number
  /** How late a rescue may be on a busy machine. */
  slackMs: number
  /** How long to wait for the queue to be empty at the end. */
  patienceMs: number
}

export interface ArenaParts {
  server: ChaosServer
  /** Where processes write their events; made anew. */
  folder: string
  random: Random
  times: Times
  signal: AbortSignal
}

export async function openArena({ server, folder, random, times, signal }: ArenaParts): Promise<Arena> {
  await mkdir(folder, { recursive: true })
  const database = `chaos_${randomUUID().replaceAll('-', '')}`
  await server.administer(`create database ${database}`)
  const pool = new pg.Pool({ connectionString: server.connectionString(database), max: 24 })
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  await migrate(pool)
  await recordHistory(pool)
  const { rows } = await pool.query("insert into nodes (kind) values ('collection') returning id")
  const collectionNodeId: string = rows[0].id
  const note = openProcessLog(join(folder, 'program.events'))
  const processes = createProcesses()
  const outages: [number, number][] = []
  let started = 0
  return {
    ...{ random, server, database, pool, collectionNodeId, processes, note, times, outages, signal },
    recoveries: [],
    complaints: [],
    workload: createWorkload({ pool, collectionNodeId, random: random.fork('workload'), note, tag: 'load' }),
    start(options = {}) {
      const name = `p${++started}`
      return processes.start({
        ...{ connection: server.connectionString(database), role: 'worker', collectionNodeId, maxConcurrent: 5, tag: name },
        ...{ leaseMs: times.leaseMs, pollIntervalMs: times.pollIntervalMs, drainMs: times.drainMs },
        log: join(folder, `${name}.events`),
        ...options,
      })
    },
    async history() {
      return {
        ...(await readHistory(pool)),
        events: await readProcessLogs(folder),
        silences: processes.silences,
        outages,
        rescueIntervalMs: times.pollIntervalMs * 1.5,
        slackMs: times.slackMs * overload(),
      }
    },
    async close() {
      await processes.killAll()
      await pool.end()
      // The server may be down where a fault was given up.
      await server.administer(`drop database ${database} with (force)`).catch(() => {})
    },
  }
}

/** Notes that the database was away while `during` ran. */
export async function outage(arena: Arena, during: () => Promise<void>): Promise<void> {
  const from = trueNow()
  await during()
  arena.outages.push([from, trueNow()])
}
