import { type BoundedBody, createBoundedBody } from './bounded-body.ts'
import { formatEvent, type ServerEvent } from './format-event.ts'

/** What an endpoint does with a stream that has been opened. */
export type EventStreamStart = (stream: EventStream) => (() => void) | undefined | Promise<(() => void) | undefined>

/** An open stream. */
export interface EventStream {
  /** Sends an event, once the user's right has been looked at. Several in a row go out together. After the end it does nothing. */
  send(event: ServerEvent): void
  /** Ends the stream; a browser comes back by itself after the retry hint. */
  close(): void
  /** Aborted when the stream has ended, for whatever reason. */
  readonly signal: AbortSignal
}

/** How a stream is opened, and what ends it. */
export interface EventStreamOptions {
  /** Whoever asked is gone. */
  signal: AbortSignal
  /** The server stops. Default: never. */
  stopped?: AbortSignal
  /** Whether the user may still see this. Asked before each burst of events, and at least every `recheckMs`. */
  stillAllowed: () => Promise<boolean>
  /** Called once; what it returns is called when the stream has ended. */
  onOpen: EventStreamStart
  /** Called once, when the stream has ended. */
  onClose?: () => void
  /** Is told why `onOpen` or `stillAllowed` failed. */
  onError?: (error: unknown) => void
  /** A comment goes out this often, so that proxies keep the connection. Default 20,000. */
  heartbeatMs?: number
  /** Default 30,000. */
  recheckMs?: number
  /** After how long a browser comes back. Default 5,000. */
  retryMs?: number
  /** Events that come within this time go out together. Default 250. */
  burstMs?: number
  /** Who leaves more than this unread is cut off. Default 65,536. */
  maxBufferedBytes?: number
  /** Who reads nothing for so long is cut off. Default 60,000. */
  maxStalledMs?: number
  /** Longest life of a stream. Default 3,600,000. */
  maxAgeMs?: number
}

const headers = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store, no-transform',
  // Also a hint for proxies that would collect the answer.
  'x-accel-buffering': 'no',
}

/** Answers with server-sent events. Everything is bounded: what is unread, how long it stays unread, and the stream's age. */
export function eventStream(options: EventStreamOptions): Response {
  const { retryMs = 5_000, maxAgeMs = 3_600_000, heartbeatMs = 20_000, recheckMs = 30_000, maxBufferedBytes = 65_536 } = options
  const ended = new AbortController()
  const bounded = createBoundedBody(maxBufferedBytes, () => finish())
  const allowed = createRecheck(options)
  const outbox = createOutbox({ bounded, maxBufferedBytes, burstMs: options.burstMs ?? 250, ready: recheck, tooMuch: cutOff })
  const isStalled = stallWatch(bounded, options.maxStalledMs ?? 60_000)

  function beat(): void {
    if (isStalled()) cutOff()
    // To who has something unread the connection is no idle one.
    else if (bounded.unread() === 0) bounded.write(': heartbeat\n\n')
  }

  async function recheck(): Promise<boolean> {
    if (ended.signal.aborted) return false
    const refusal = await allowed()
    if (refusal) end(refusal)
    return !ended.signal.aborted
  }

  function end(reason?: string): void {
    if (ended.signal.aborted) return
    if (reason) bounded.write(formatEvent({ event: 'closed', data: { reason } }))
    finish()
    bounded.close()
  }

  function cutOff(): void {
    finish()
    bounded.breakOff()
  }

  function finish(): void {
    if (ended.signal.aborted) return
    ended.abort()
    options.onClose?.()
  }

  bounded.write(`retry: ${retryMs}\n\n`)
  const timers = [setInterval(beat, heartbeatMs), setInterval(recheck, recheckMs), setTimeout(() => end(), maxAgeMs)]
  ended.signal.addEventListener('abort', () => {
    for (const timer of timers) clearTimeout(timer)
  })
  whenAborted(options.signal, ended.signal, () => end())
  whenAborted(options.stopped, ended.signal, () => end('server_stops'))
  const stream: EventStream = {
    send: (event) => {
      if (!ended.signal.aborted) outbox.add(formatEvent(event))
    },
    close: () => end(),
    signal: ended.signal,
  }
  void start(options, stream)
  return new Response(bounded.body, { headers })
}

/** Why the user may not go on; undefined when they may. When that cannot be told the stream ends: a browser comes back, and gets a clear answer then. */
function createRecheck({ stillAllowed, onError }: EventStreamOptions): () => Promise<'not_allowed' | 'unavailable' | undefined> {
  async function ask() {
    try {
      return (await stillAllowed()) ? undefined : ('not_allowed' as const)
    } catch (error) {
      onError?.(error)
      return 'unavailable' as const
    }
  }
  let asking: ReturnType<typeof ask> | undefined
  return () => {
    asking ??= ask().finally(() => {
      asking = undefined
    })
    return asking
  }
}

interface OutboxOptions {
  bounded: BoundedBody
  maxBufferedBytes: number
  burstMs: number
  /** Asked before each burst. */
  ready: () => Promise<boolean>
  tooMuch: () => void
}

/** Collects what is sent within a moment. */
function createOutbox({ bounded, maxBufferedBytes, burstMs, ready, tooMuch }: OutboxOptions) {
  let waiting = ''
  let scheduled = false

  async function flush(): Promise<void> {
    const mayGo = await ready()
    scheduled = false
    const text = waiting
    waiting = ''
    if (mayGo && !bounded.write(text)) tooMuch()
  }

  return {
    add(text: string): void {
      waiting += text
      if (waiting.length > maxBufferedBytes) tooMuch()
      else if (!scheduled) setTimeout(flush, burstMs)
      scheduled = true
    },
  }
}

/** Whether something has been unread for too long; asked at each beat. */
function stallWatch(bounded: BoundedBody, maxStalledMs: number): () => boolean {
  let since: number | undefined
  return () => {
    since = bounded.unread() === 0 ? undefined : (since ?? performance.now())
    return since !== undefined && performance.now() - since >= maxStalledMs
  }
}

function whenAborted(signal: AbortSignal | undefined, until: AbortSignal, act: () => void): void {
  if (signal?.aborted) act()
  else signal?.addEventListener('abort', act, { once: true, signal: until })
}

async function start({ onOpen, onError }: EventStreamOptions, stream: EventStream): Promise<void> {
  if (stream.signal.aborted) return
  try {
    const cleanUp = await onOpen(stream)
    if (stream.signal.aborted) cleanUp?.()
    else if (cleanUp) stream.signal.addEventListener('abort', cleanUp, { once: true })
  } catch (error) {
    onError?.(error)
    stream.close()
  }
}
