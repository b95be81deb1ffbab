import { createWorker, type OnWorkerEvent, surviveDisconnects } from '@sidelinja/jobs-core/worker'
import { createHandlers, createServices } from '@sidelinja/jobs-kit'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { WorkerBuild } from '../build.ts'
import { createLogger } from '../log/create-logger.ts'
import { logCrash } from '../log/log-crash.ts'
import { logLine } from '../log/log-line.ts'
import type { ServiceSettings } from '../options/read-service-settings.ts'
import type { WorkerSettings } from '../options/settings.ts'
import { version } from '../version.ts'
import { publishStatuses } from './publish-statuses.ts'
import { selectPackages } from './select-packages.ts'
import { stopOnSignals } from './stop-on-signals.ts'
import { untilServicesWork } from './until-services-work.ts'

export interface StartOptions {
  build: WorkerBuild
  settings: WorkerSettings
  services: ServiceSettings
  connectionString: string
  /** For the log's beginning. */
  warnings: readonly Warning[]
}

/** Something about the settings that may be meant otherwise. */
export interface Warning {
  event: string
  text: string
}

/** `start`: runs jobs until a signal says stop. */
export async function runStart({ build, settings, services: addresses, connectionString, warnings }: StartOptions): Promise<void> {
  const logger = createLogger(build.name, settings.logLevel)
  const { spacetime, ...where } = addresses
  const publisher = spacetime && publishStatuses(spacetime, logger)
  const onEvent: OnWorkerEvent = (event) => {
    const { level, message, fields } = logLine(event)
    logger[level](fields, message)
    publisher?.onEvent(event)
  }
  // For what handlers read beside their jobs; the worker has connections of its own.
  const pool = surviveDisconnects(
    new pg.Pool({ connectionString, max: settings.maxConcurrent, application_name: `sidelinja ${build.name} services` }),
  )
  const services = createServices({ ...where, ...settings, audio: settings, db: new Kysely({ dialect: new PostgresDialect({ pool }) }) })
  const handlers = createHandlers(selectPackages(build, settings.types), services)
  const worker = createWorker({
    ...{ ...settings, handlers, connection: connectionString, version: version(), onEvent },
    otherConnections: settings.maxConcurrent,
  })

  for (const { event, text } of warnings) logger.warn({ event }, text)
  logCrash(logger)
  const stop = stopOnSignals(logger)
  const told = await untilServicesWork(services, onEvent, stop.first)
  for (const text of told) logger.info({ event: 'service.checked' }, text)
  if (!stop.first.aborted) {
    stop.first.addEventListener('abort', () => void worker.stop())
    stop.second.addEventListener('abort', () => void worker.stop({ drainMs: 0 }))
    await worker.start()
    await worker.stopped
  }
  await Promise.all([pool.end(), publisher?.close()])
}
