import type { Worker } from '@sidelinja/jobs-core/worker'
import type { Logger } from 'pino'
import { EXIT } from '../exit-codes.ts'

/** One Ctrl-C may come twice: from the terminal, and from a parent such as npm that passes it on. */
const SAME_SIGNAL_MS = 500

/** The first SIGTERM or SIGINT stops the worker gracefully; a later one ends the process at once, and other workers rescue its jobs. */
export function stopOnSignals(worker: Pick<Worker, 'stop'>, logger: Logger): void {
  let first: number | undefined
  const onSignal = (signal: NodeJS.Signals) => {
    const now = performance.now()
    if (first === undefined) {
      first = now
      logger.info({ event: 'signal', signal }, 'stopping; a second signal ends the worker at once')
      void worker.stop()
    } else if (now - first > SAME_SIGNAL_MS) {
      logger.error({ event: 'signal', signal }, 'ended at once; running jobs are rescued when the lease runs out')
      process.exit(EXIT.failed)
    }
  }
  process.on('SIGTERM', onSignal).on('SIGINT', onSignal)
}
