import { setTimeout as sleep } from 'node:timers/promises'
import { describeError, isConnectionLoss, type OnWorkerEvent } from '@sidelinja/jobs-core/worker'
import { checkServices, type Services } from '@sidelinja/jobs-kit'
import { explainConnectionError } from './explain-connection-error.ts'

const FIRST_RETRY_MS = 200
const MAX_RETRY_MS = 5_000

/** Checks what the handlers need, and waits while the database is away. Returns early when `signal` aborts. @returns what there is to tell about it. */
export async function untilServicesWork(services: Services, emit: OnWorkerEvent, signal: AbortSignal): Promise<readonly string[]> {
  for (let retryMs = FIRST_RETRY_MS; !signal.aborted; retryMs = Math.min(retryMs * 2, MAX_RETRY_MS)) {
    try {
      return await checkServices(services)
    } catch (error) {
      if (!isConnectionLoss(error)) throw explainConnectionError(error)
      emit({ name: 'database.lost', during: 'start', error: describeError(error) })
      await sleep(retryMs, undefined, { signal }).catch(() => {})
    }
  }
  return []
}
