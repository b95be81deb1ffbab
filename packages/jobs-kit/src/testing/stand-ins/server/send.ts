import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { Answer } from './answer.ts'
import type { Fault } from './faults.ts'

/** Sends an answer, well or as the fault has it. @returns whether the client was given all of it. */
export async function send(response: ServerResponse, answer: Answer, fault: Fault, signal: AbortSignal): Promise<boolean> {
  if (fault.delayMs) await delay(fault.delayMs, undefined, { signal })
  if (fault.hang === 'before-headers') await untilAborted(signal)
  if (fault.drop === 'before-headers') return cut(response)
  const body = Buffer.from(answer.body as string)
  response.writeHead(answer.status, { ...answer.headers, 'content-length': String(body.length) })
  const broken = fault.hang === 'mid-body' || fault.drop === 'mid-body'
  await write(response, broken ? body.subarray(0, Math.ceil(body.length / 2)) : body, fault.dripMs, signal)
  if (fault.hang === 'mid-body') await untilAborted(signal)
  if (fault.drop === 'mid-body') return cut(response)
  response.end()
  await once(response, 'finish', { signal })
  return true
}

/** Never comes back otherwise than by the abort. */
export function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
  })
}

async function write(response: ServerResponse, body: Buffer, dripMs: number | undefined, signal: AbortSignal): Promise<void> {
  response.flushHeaders()
  if (dripMs === undefined) {
    // Until it is flushed, or a cut right after would take the first half along.
    await new Promise<void>((resolve) => response.write(body, () => resolve()))
    return
  }
  for (const byte of body) {
    response.write(Buffer.of(byte))
    await delay(dripMs, undefined, { signal })
  }
}

function cut(response: ServerResponse): false {
  response.socket?.destroy()
  return false
}
