import type { JobStatusUpdate, StatusSink } from './status-sink.ts'

/** A sink that does not keep to its time limit is left alone after twice that. */
const patience = 2

/**
 * Sends an update and waits no longer than twice its time limit, whatever the sink does.
 * @throws what the sink throws; the reason of `closing` when that is aborted first
 */
export async function sendWithin(sink: StatusSink, update: JobStatusUpdate, timeoutMs: number, closing: AbortSignal): Promise<void> {
  const call = new AbortController()
  const leave = () => call.abort(closing.reason)
  const timer = setTimeout(() => call.abort(tooLate(sink, timeoutMs)), timeoutMs * patience)
  closing.addEventListener('abort', leave)
  try {
    const left = new Promise<never>((_, reject) => call.signal.addEventListener('abort', () => reject(call.signal.reason)))
    await Promise.race([sink.send(update, { timeoutMs, signal: call.signal }), left])
  } finally {
    clearTimeout(timer)
    closing.removeEventListener('abort', leave)
  }
}

function tooLate(sink: StatusSink, timeoutMs: number): Error {
  return new Error(`The sink ${sink.name} did not end within ${timeoutMs * patience} ms.`)
}
