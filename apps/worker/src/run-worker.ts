import { isJobsError } from '@sidelinja/jobs-core'
import { isConnectionLoss, maskSecrets } from '@sidelinja/jobs-core/worker'
import type { WorkerBuild } from './build.ts'
import { helpText } from './commands/help.ts'
import { runMigrate, runMigrateStatus } from './commands/migrate.ts'
import { runStart } from './commands/start.ts'
import { EXIT } from './exit-codes.ts'
import { parseCommandLine } from './options/parse-command-line.ts'
import { readDatabaseUrl } from './options/read-database-url.ts'
import { misspeltVariables, readSettings } from './options/read-settings.ts'
import { version } from './version.ts'

/**
 * The whole process of a worker build: reads the command line and the environment, runs the command and ends the process with the
 * exit code the README documents. Everything a build's main.ts has to do is call it with its selection of handler packages.
 */
export async function runWorker(build: WorkerBuild): Promise<void> {
  // A handler that ignores its signal must not keep a stopped worker's process alive, hence exit and not only exitCode.
  const code = await run(build).catch(reportError)
  process.stdout.write('', () => process.exit(code))
}

async function run(build: WorkerBuild): Promise<number> {
  const { command, flags } = parseCommandLine(process.argv.slice(2))
  const types = build.handlers.map(({ definition }) => definition.type)
  if (command === 'help') return print(helpText(build.name, types).trimEnd())
  if (command === 'version') return print(`sidelinja-worker ${version()} (build ${build.name})`)
  const settings = readSettings(flags, process.env)
  const connectionString = readDatabaseUrl(process.env)
  if (command === 'start') {
    const warnings = misspeltVariables(process.env).map(({ name, meant }) => `${name} is not known and was ignored. Did you mean ${meant}?`)
    return runStart({ build, settings, connectionString, warnings })
  }
  await (command === 'migrate' ? runMigrate : runMigrateStatus)(connectionString, print)
  return EXIT.ok
}

function print(text: string): number {
  console.log(text)
  return EXIT.ok
}

function reportError(error: unknown): number {
  const { message, stack } = error instanceof Error ? error : new Error(String(error))
  const isUsage = isJobsError(error, 'configuration')
  // What to do stands in the message of an expected error; a stack would bury it.
  const text = isUsage || isConnectionLoss(error) ? message || String(error) : (stack ?? message)
  console.error(`sidelinja-worker: ${maskSecrets(text)}`)
  if (isUsage) return EXIT.usage
  return isConnectionLoss(error) ? EXIT.unreachable : EXIT.failed
}
