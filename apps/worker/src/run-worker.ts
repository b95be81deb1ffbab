import { isJobsError } from '@sidelinja/jobs-core'
import { describeError, isConnectionLoss } from '@sidelinja/jobs-core/worker'
import type { WorkerBuild } from './build.ts'
import { checkNode } from './check-node.ts'
import { helpText } from './commands/help.ts'
import { runMigrate, runMigrateStatus } from './commands/migrate.ts'
import { runStart, type Warning } from './commands/start.ts'
import { EXIT } from './exit-codes.ts'
import { exitWhenWritten, surviveClosedStdout } from './log/stdout.ts'
import { misspeltVariables } from './options/misspelt-variables.ts'
import { parseCommandLine } from './options/parse-command-line.ts'
import { readDatabaseUrl } from './options/read-database-url.ts'
import { doubledPaths, readServiceSettings, unusedVariables } from './options/read-service-settings.ts'
import { type Environment, readSettings } from './options/read-settings.ts'
import { version } from './version.ts'

/**
 * The whole process of a worker build: reads the command line and the environment, runs the command and ends the process with the
 * exit code the README documents. Everything a build has to do is call it with its selection of handler packages.
 */
export async function runWorker(build: WorkerBuild): Promise<void> {
  checkNode()
  surviveClosedStdout()
  // A handler that ignores its signal must not keep a stopped worker's process alive, hence exit and not only exitCode.
  const code = await run(build).catch(reportError)
  exitWhenWritten(code)
}

async function run(build: WorkerBuild): Promise<number> {
  const { command, flags, roles, adopt } = parseCommandLine(process.argv.slice(2))
  const types = build.handlers.map(({ definition }) => definition.type)
  if (command === 'help') return print(helpText(build.name, types).trimEnd())
  if (command === 'version') return print(`sidelinja-worker ${version()} (build ${build.name})`)
  const settings = readSettings(flags, process.env)
  const services = readServiceSettings(process.env)
  const connectionString = readDatabaseUrl(process.env)
  if (command === 'migrate') return await runMigrate(connectionString, print, { roles, adopt })
  if (command === 'migrate status') await runMigrateStatus(connectionString, print, { roles })
  else await runStart({ build, settings, services, connectionString, warnings: warningsOf(process.env) })
  return EXIT.ok
}

function warningsOf(env: Environment): Warning[] {
  return [
    ...misspeltVariables(env).map(({ name, meant }) => ({
      event: 'setting.unknown',
      text: `${name} is not known and was ignored. Did you mean ${meant}?`,
    })),
    ...unusedVariables(env).map(({ name, needs }) => ({
      event: 'setting.unused',
      text: `${name} does nothing, because ${needs} is not set.`,
    })),
    ...doubledPaths(env).map((name) => ({
      event: 'setting.doubtful',
      text: `${name} ends in /v1, which is added to it: jobs will most likely fail with UPSTREAM_NOT_FOUND. Leave it out.`,
    })),
  ]
}

function print(text: string): number {
  console.log(text)
  return EXIT.ok
}

function reportError(error: unknown): number {
  const [code, text] = explain(error)
  console.error(`sidelinja-worker: ${text}`)
  return code
}

function explain(error: unknown): [number, string] {
  // The message of an expected error says what to do; a stack would bury it.
  if (isJobsError(error, 'configuration')) return [EXIT.usage, error.message]
  const { message, stack } = describeError(error)
  if (!isConnectionLoss(error)) return [EXIT.failed, stack ?? message]
  return [EXIT.unreachable, `The database cannot be reached: ${message}. Check that it runs, and the host and port of DATABASE_URL.`]
}
