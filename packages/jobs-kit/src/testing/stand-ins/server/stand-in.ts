import type { Fault } from './faults.ts'
import type { ReceivedRequest } from './received.ts'

/** Where a stand-in listens, and how it starts. */
export interface StandInOptions {
  /** Port on 127.0.0.1; default 0, a free one. */
  port?: number
  /** Faults of the first requests, in this order; more by `fail()`. */
  faults?: readonly Fault[]
}

/** A small server that speaks a service's wire format over real sockets, for tests and demonstrations. */
export interface StandIn<Request extends ReceivedRequest = ReceivedRequest> extends AsyncDisposable {
  /** Like `http://127.0.0.1:45123`, without a slash at its end. */
  readonly url: string
  /** What has come in, oldest first; a request stands here as soon as its headers have arrived. */
  readonly requests: readonly Request[]
  /** The largest number of requests that were open at once. */
  readonly peak: number
  /** The request of that number, counted from 1, as soon as it has begun. */
  received(number: number): Promise<Request>
  /** Adds faults; each meets the next request that no earlier one meets. */
  fail(...faults: Fault[]): void
  /** Forgets the faults that have not met a request. */
  recover(): void
  /** What answers here and what that is worth, in a sentence for people. */
  describe(): string
  /** Cuts every connection, ends what is running and waits for it. */
  close(): Promise<void>
}
