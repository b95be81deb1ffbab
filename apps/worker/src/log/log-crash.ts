import { describeError } from '@sidelinja/jobs-core/worker'
import type { Logger } from 'pino'
import { EXIT } from '../exit-codes.ts'
import { exitWhenWritten } from './stdout.ts'

/** What nobody caught becomes one log line, masked like any other, before the process ends; other workers rescue its jobs. */
export function logCrash(logger: Logger): void {
  process.on('uncaughtException', (thrown) => {
    const { code, message, stack } = describeError(thrown)
    logger.fatal({ event: 'crash', error_code: code, error: message, error_stack: stack }, 'the worker crashed')
    exitWhenWritten(EXIT.failed)
  })
}
