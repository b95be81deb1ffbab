import type { Answer } from './answer.ts'

/** How a stand-in goes wrong, on purpose. Parts combine: `{ delayMs: 500, answer: { status: 503 } }`. */
export interface Fault {
  /** How many requests it meets; Infinity until `recover()`. Default 1. */
  times?: number
  /** Reads the first bytes of the request and then no more: `stall` keeps the connection until the stand-in closes, `drop` cuts it. */
  upload?: 'stall' | 'drop'
  /** Waits so long before the headers of the answer. */
  delayMs?: number
  /** Keeps the connection and sends nothing more: nothing at all, or the headers and half of the body. */
  hang?: 'before-headers' | 'mid-body'
  /** Cuts the connection at the same places. */
  drop?: 'before-headers' | 'mid-body'
  /** Sends the body one byte at a time, so long apart. */
  dripMs?: number
  /** Sends this instead of what the service would have said; the request is read to its end first. Default status 500, empty body. */
  answer?: Partial<Answer>
}

/** Faults that wait for their requests, first in, first out. */
export interface FaultQueue {
  add(faults: readonly Fault[]): void
  /** The fault of the next request, if it is to meet one. */
  take(): Fault | undefined
  clear(): void
}

export function createFaultQueue(): FaultQueue {
  const waiting: { fault: Fault; left: number }[] = []
  return {
    add(faults) {
      for (const fault of faults) waiting.push({ fault, left: fault.times ?? 1 })
    },
    take() {
      const first = waiting[0]
      if (first === undefined) return undefined
      first.left -= 1
      if (first.left <= 0) waiting.shift()
      return first.fault
    },
    clear() {
      waiting.length = 0
    },
  }
}
