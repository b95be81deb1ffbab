import { isUpstreamError } from '../http/upstream-error.ts'
import type { RoomsFailure } from './room-status.ts'

/** Nothing listens there, or there is no such host: no server, so no rooms. */
const noServer = ['ECONNREFUSED', 'ENOTFOUND']

/** What kind of failure a call's error is. An overloaded host is exactly when an API stops answering: what is not known is `silent`. */
export function classifyFailure(error: unknown): RoomsFailure {
  if (!isUpstreamError(error)) return 'silent'
  if (error.networkCode !== undefined && noServer.includes(error.networkCode)) return 'refused'
  const { status } = error
  const refusedUs = status !== undefined && status >= 300 && status < 500 && ![408, 425, 429].includes(status)
  return refusedUs || error.code === 'UPSTREAM_CALL_INVALID' ? 'misconfigured' : 'silent'
}
