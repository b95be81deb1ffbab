import type { Logger } from 'pino'
import { EXIT } from '../exit-codes.ts'

/** One Ctrl-C may come twice: from the terminal, and from a parent such as npm that passes it on. */
const SAME_SIGNAL_MS = 500

/**
 * Aborts at the first SIGTERM or SIGINT: time to stop gracefully. A later one ends the process at once, and other workers rescue its
 * jobs when the lease has run out.
 */
export function stopOnSignals(logger: Logger): AbortSignal {
  const controller = new AbortController()
  let firstAt = 0
  const onSignal = (signal: NodeJS.Signals) => {
    const now = performance.now()
    if (!controller.signal.aborted) {
      firstAt = now
      logger.info({ event: 'signal', signal }, 'stopping; a second signal ends the worker at once')
      controller.abort()
    } else if (now - firstAt > SAME_SIGNAL_MS) {
      logger.error({ event: 'signal', signal }, 'ended at once; what still ran is rescued when its lease has run out')
      process.exit(EXIT.failed)
    }
  }
  process.on('SIGTERM', onSignal).on('SIGINT', onSignal)
  return controller.signal
}
