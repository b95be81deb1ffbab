import type { Logger } from 'pino'
import { EXIT } from '../exit-codes.ts'

/** One Ctrl-C may come twice: from the terminal, and from a parent such as npm that passes it on. */
const SAME_SIGNAL_MS = 500

export interface Stopping {
  /** Aborted at the first SIGTERM or SIGINT: time to stop gracefully. */
  readonly first: AbortSignal
  /** Aborted at the second: wait for nobody, hand back what runs. */
  readonly second: AbortSignal
}

/** Listens for SIGTERM and SIGINT. A third ends the process at once, and other workers rescue its jobs when the lease has run out. */
export function stopOnSignals(logger: Logger): Stopping {
  const first = new AbortController()
  const second = new AbortController()
  let lastAt = Number.NEGATIVE_INFINITY
  const onSignal = (signal: NodeJS.Signals) => {
    const now = performance.now()
    if (now - lastAt <= SAME_SIGNAL_MS) return
    lastAt = now
    if (!first.signal.aborted) {
      logger.info({ event: 'signal', signal }, 'stopping; a second signal does not wait for running jobs')
      first.abort()
    } else if (!second.signal.aborted) {
      logger.warn({ event: 'signal', signal }, 'handing back what still runs; a third signal ends the worker at once')
      second.abort()
    } else {
      logger.error({ event: 'signal', signal }, 'ended at once; what still ran is rescued when its lease has run out')
      process.exit(EXIT.failed)
    }
  }
  process.on('SIGTERM', onSignal).on('SIGINT', onSignal)
  return { first: first.signal, second: second.signal }
}
