import { createWorker } from '@sidelinja/jobs-core/worker'
import { createServices } from '@sidelinja/jobs-kit'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { WorkerBuild } from '../build.ts'
import { EXIT } from '../exit-codes.ts'
import { createLogger } from '../log/create-logger.ts'
import { logLine } from '../log/log-line.ts'
import type { WorkerSettings } from '../options/settings.ts'
import { selectPackages } from '../select-packages.ts'
import { version } from '../version.ts'
import { stopOnSignals } from './stop-on-signals.ts'

export interface StartOptions {
  build: WorkerBuild
  settings: WorkerSettings
  connectionString: string
  /** Sentences for the log's beginning. */
  warnings: readonly string[]
}

/** `start`: runs jobs until a signal says stop. Resolves with the exit code. */
export async function runStart({ build, settings, connectionString, warnings }: StartOptions): Promise<number> {
  const logger = createLogger(build.name, settings.logLevel)
  const pool = new pg.Pool({ connectionString, max: settings.maxConcurrent, application_name: `sidelinja ${build.name} services` })
  pool.on('error', (error) => logger.warn({ event: 'services.connection_lost', error: error.message }, 'an idle connection was lost'))
  try {
    const services = createServices({ db: new Kysely({ dialect: new PostgresDialect({ pool }) }), ...roots(settings) })
    const worker = createWorker({
      ...settings,
      connection: connectionString,
      handlers: selectPackages(build, settings.types).map((handlerPackage) => handlerPackage.createHandler(services)),
      version: version(),
      onEvent(event) {
        const { level, message, fields } = logLine(event)
        logger[level](fields, message)
      },
    })
    for (const warning of warnings) logger.warn(warning)
    const signals = stopOnSignals(worker, logger)
    await worker.start()
    await worker.stopped
    return signals.insisted() ? EXIT.failed : EXIT.ok
  } finally {
    await pool.end()
  }
}

function roots({ mediaRoot, logRoot }: WorkerSettings): { mediaRoot?: string; logRoot?: string } {
  return { ...(mediaRoot === undefined ? {} : { mediaRoot }), ...(logRoot === undefined ? {} : { logRoot }) }
}
