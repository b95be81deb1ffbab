import { fileURLToPath } from 'node:url'
import { isJobsError } from '@sidelinja/jobs-core'
import { describeError, isConnectionLoss, isRefusal } from '@sidelinja/jobs-core/worker'
import { AdminFailedError } from './admin/admin-failed-error.ts'
import { helpText, readOptions } from './options.ts'
import { runPlayground, ServerEndedError } from './run-playground.ts'
import { SampleFailedError } from './sample-failed-error.ts'

/** One Ctrl-C may come twice: from the terminal, and from a parent that passes it on. */
const SAME_SIGNAL_MS = 500
const EXIT = { ok: 0, failed: 1, usage: 2, unreachable: 5, interrupted: 130 } as const

const stop = stopOnSignals()
const code = await main(stop)
// What was put up is taken down by now, the database last.
if (stop.aborted) console.log('Stopped.')
process.exit(code)

async function main(signal: AbortSignal): Promise<number> {
  let once = false
  try {
    const options = readOptions(process.argv.slice(2), fileURLToPath(new URL('../../../.sidelinja', import.meta.url)))
    once = options.once
    if (options.help) console.log(helpText)
    else await runPlayground({ ...options, ...readEnvironment(), signal, print: (line) => console.log(line) })
    return EXIT.ok
  } catch (error) {
    if (signal.aborted) return once ? EXIT.interrupted : EXIT.ok
    const [code, text] = explain(error)
    console.error(text)
    return code
  }
}

function readEnvironment() {
  const { DATABASE_URL, FFMPEG_PATH, FFPROBE_PATH } = process.env
  return { databaseUrl: DATABASE_URL, audio: { ffmpegPath: FFMPEG_PATH, ffprobePath: FFPROBE_PATH } }
}

/** Aborts at the first SIGINT or SIGTERM; a later one ends the process at once, and the next start finds its way. */
function stopOnSignals(): AbortSignal {
  const controller = new AbortController()
  let firstAt = 0
  const onSignal = () => {
    const now = performance.now()
    if (controller.signal.aborted && now - firstAt > SAME_SIGNAL_MS) process.exit(EXIT.interrupted)
    if (controller.signal.aborted) return
    firstAt = now
    console.log('Stopping …')
    controller.abort()
  }
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal)
  // Nobody reads any more, as after `npm start | head`.
  process.stdout.on('error', () => controller.abort())
  return controller.signal
}

/** One sentence for what can be expected to go wrong, the stack for what cannot. */
function explain(error: unknown): [number, string] {
  if (isJobsError(error, 'configuration')) return [EXIT.usage, error.message]
  if (error instanceof Error && [SampleFailedError, ServerEndedError, AdminFailedError].some((known) => error instanceof known))
    return [EXIT.failed, error.message]
  const { code, message, stack } = describeError(error)
  if (code === 'ENOSPC' || code === '53100') return [EXIT.failed, `The disk is full: ${message}. Free some space and start again.`]
  if (isConnectionLoss(error))
    return [EXIT.unreachable, `The database cannot be reached: ${message}. Check that it runs, and DATABASE_URL.`]
  if (isRefusal(error)) return [EXIT.usage, `PostgreSQL refuses DATABASE_URL: ${message}.`]
  return [EXIT.failed, stack ?? message]
}
