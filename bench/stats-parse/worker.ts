import { monitorEventLoopDelay } from 'node:perf_hooks'
import statsParse from '@sidelinja/handler-stats-parse'
import type { Result } from '@sidelinja/handler-stats-parse/job'
import { createWorker, type Handler, type WorkerEvent } from '@sidelinja/jobs-core/worker'
import { createServices } from '@sidelinja/jobs-kit'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'

export interface WorkerTask {
  connectionString: string
  logRoot: string
}

export interface WorkerFigures {
  /** From the first job's start to the last one's end. */
  seconds: number
  /** Of them in the handler, which reads and counts, and in its write. */
  readSeconds: number
  writeSeconds: number
  jobs: number
  lines: number
  listeners: number
  downloads: number
  peakRssMb: number
  /** The longest the event loop was held, by the clock: waiting for a processor counts too. */
  heldMs: number
  /** The same in processor time of its thread: what the worker does by itself, however busy the machine is. */
  heldCpuMs: number
}

/** The worker of the measurement: runs until the last job of the chain is done, tells its figures and ends. */
async function run({ connectionString, logRoot }: WorkerTask): Promise<void> {
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString, max: 2 }) }) })
  const delay = monitorEventLoopDelay({ resolution: 5 })
  const figures: WorkerFigures = {
    seconds: 0,
    readSeconds: 0,
    writeSeconds: 0,
    jobs: 0,
    lines: 0,
    listeners: 0,
    downloads: 0,
    peakRssMb: 0,
    heldMs: 0,
    heldCpuMs: 0,
  }
  const done = Promise.withResolvers<void>()
  let started = 0
  const onEvent = (event: WorkerEvent) => {
    if (event.name === 'job.failed') done.reject(new Error(JSON.stringify(event)))
    if (event.name !== 'job.started' || started > 0) return
    started = performance.now()
    delay.enable()
    watchCpu(figures)
  }
  const handler = measured(statsParse.createHandler(createServices({ db, logRoot })), figures, done.resolve)
  const worker = createWorker({ connection: connectionString, handlers: [handler], onEvent })
  await worker.start()
  await done.promise
  figures.seconds = (performance.now() - started) / 1000
  figures.heldMs = delay.max / 1e6
  figures.peakRssMb = process.resourceUsage().maxRSS / 1000
  await worker.stop()
  await db.destroy()
  process.send?.(figures, undefined, undefined, () => process.disconnect())
}

/** Between two ticks lies what one turn of the loop has done, and at most 5 ms of other turns. */
function watchCpu(figures: WorkerFigures): void {
  const cpuMs = () => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1000
  }
  let last = cpuMs()
  const tick = () => {
    const now = cpuMs()
    figures.heldCpuMs = Math.max(figures.heldCpuMs, now - last)
    last = now
  }
  setInterval(tick, 5).unref()
}

/** The handler, adding up what its results say. */
function measured(handler: Handler, figures: WorkerFigures, onLast: () => void): Handler {
  return {
    ...handler,
    async run(context) {
      const begun = performance.now()
      const { write } = (await handler.run(context)) ?? {}
      figures.readSeconds += (performance.now() - begun) / 1000
      return {
        async write(trx) {
          const started = performance.now()
          const written = await write?.(trx)
          figures.writeSeconds += (performance.now() - started) / 1000
          const result = written?.result as unknown as Result
          figures.jobs++
          figures.lines += result.lines
          figures.listeners += result.listeners
          figures.downloads += result.downloads
          if (!result.more) setTimeout(onLast, 50)
          return written
        },
      }
    },
  }
}

if (import.meta.main) await run(JSON.parse(process.argv[2] ?? ''))
