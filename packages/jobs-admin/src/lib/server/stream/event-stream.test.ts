import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type EventStream, type EventStreamOptions, eventStream } from './event-stream.ts'

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'clearTimeout', 'clearInterval', 'performance'] }))
afterEach(() => vi.useRealTimers())

describe('eventStream', () => {
  test('begins with the retry hint, and a name or id stays on its line', async () => {
    const { response, stream, read } = open()
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    expect(await read()).toBe('retry: 5000\n\n')
    stream.send({ event: 'jobs', id: '7\ndata: x', data: { text: 'a\nb' } })
    stream.send({ data: 1 })
    await vi.advanceTimersByTimeAsync(250)
    expect(await read()).toBe('event: jobs\nid: 7 data: x\ndata: {"text":"a\\nb"}\n\ndata: 1\n\n')
  })

  test('a comment keeps an idle connection', async () => {
    const { read } = open()
    await read()
    await vi.advanceTimersByTimeAsync(20_000)
    expect(await read()).toBe(': heartbeat\n\n')
  })

  test('the right is asked before each burst and at least every 30 seconds', async () => {
    const { stream, stillAllowed } = open()
    for (let count = 0; count < 50; count++) stream.send({ data: count })
    expect(stillAllowed).toHaveBeenCalledTimes(0)
    await vi.advanceTimersByTimeAsync(250)
    expect(stillAllowed).toHaveBeenCalledTimes(1)
    await vi.advanceTimersByTimeAsync(30_000)
    expect(stillAllowed).toHaveBeenCalledTimes(2)
  })

  test('who may no longer see it gets nothing of what was to be sent', async () => {
    const { stream, rest, stillAllowed, onClose } = open()
    stillAllowed.mockResolvedValue(false)
    stream.send({ data: 'secret' })
    await vi.advanceTimersByTimeAsync(250)
    expect(await rest()).toBe('retry: 5000\n\nevent: closed\ndata: {"reason":"not_allowed"}\n\n')
    expect(onClose).toHaveBeenCalledTimes(1)
    expect(stream.signal.aborted).toBe(true)
  })

  test('also when nothing happens, in 30 seconds', async () => {
    const { rest, stillAllowed } = open()
    stillAllowed.mockResolvedValue(false)
    await vi.advanceTimersByTimeAsync(30_000)
    expect(await rest()).toContain('event: closed')
  })

  test('when it cannot be told whether they may, the stream ends', async () => {
    const { stream, rest, stillAllowed, onError } = open()
    stillAllowed.mockRejectedValue(new Error('no database'))
    stream.send({ data: 'secret' })
    await vi.advanceTimersByTimeAsync(250)
    expect(await rest()).toBe('retry: 5000\n\nevent: closed\ndata: {"reason":"unavailable"}\n\n')
    expect(onError).toHaveBeenCalledTimes(1)
  })

  test('who does not read is cut off by size', async () => {
    const { stream, onClose, rest } = open({ maxBufferedBytes: 1_000 })
    for (let count = 0; count < 20 && !stream.signal.aborted; count++) {
      stream.send({ data: 'x'.repeat(100) })
      await vi.advanceTimersByTimeAsync(250)
    }
    expect(stream.signal.aborted).toBe(true)
    expect(onClose).toHaveBeenCalledTimes(1)
    await expect(rest()).rejects.toThrow('too slow')
  })

  test('and in one burst', () => {
    const { stream, onClose } = open({ maxBufferedBytes: 1_000 })
    for (let count = 0; count < 20; count++) stream.send({ data: 'x'.repeat(100) })
    expect(onClose).toHaveBeenCalledTimes(1)
  })

  test('and by time', async () => {
    const { stream, read } = open({ maxStalledMs: 60_000 })
    await read()
    stream.send({ data: 'x' })
    await vi.advanceTimersByTimeAsync(60_000)
    expect(stream.signal.aborted).toBe(false)
    await vi.advanceTimersByTimeAsync(20_000)
    expect(stream.signal.aborted).toBe(true)
  })

  test('ends with the request, the reader, the server, its age, and by itself', async () => {
    const request = open()
    request.abort()
    const reader = open()
    await reader.cancel()
    const server = open()
    server.stop()
    expect(await server.rest()).toContain('data: {"reason":"server_stops"}')
    const old = open({ maxAgeMs: 60_000 })
    await vi.advanceTimersByTimeAsync(60_000)
    const itself = open()
    itself.stream.close()
    for (const { stream, onClose, cleanUp } of [request, reader, server, old, itself]) {
      expect(stream.signal.aborted).toBe(true)
      expect(onClose).toHaveBeenCalledTimes(1)
      expect(cleanUp).toHaveBeenCalledTimes(1)
      stream.send({ data: 'late' })
      stream.close()
      expect(onClose).toHaveBeenCalledTimes(1)
    }
    expect(vi.getTimerCount()).toBe(0)
  })

  test('is not opened for a request that is gone already', async () => {
    const onOpen = vi.fn()
    const onClose = vi.fn()
    const response = eventStream({ signal: AbortSignal.abort(), stillAllowed: async () => true, onOpen, onClose })
    expect(await response.text()).toBe('retry: 5000\n\n')
    expect(onOpen).not.toHaveBeenCalled()
    expect(onClose).toHaveBeenCalledTimes(1)
  })

  test('ends when it cannot be opened, and cleans up when it ended while it was', async () => {
    const onError = vi.fn()
    const failed = eventStream({ signal: new AbortController().signal, stillAllowed: async () => true, onOpen: fail, onError })
    expect(await failed.text()).toBe('retry: 5000\n\n')
    expect(onError).toHaveBeenCalledTimes(1)
    const request = new AbortController()
    const opening = Promise.withResolvers<() => void>()
    eventStream({ signal: request.signal, stillAllowed: async () => true, onOpen: () => opening.promise })
    request.abort()
    const cleanUp = vi.fn()
    opening.resolve(cleanUp)
    await opening.promise
    await Promise.resolve()
    expect(cleanUp).toHaveBeenCalledTimes(1)
  })
})

async function fail(): Promise<undefined> {
  throw new Error('cannot listen')
}

function open(options: Partial<EventStreamOptions> = {}) {
  const request = new AbortController()
  const server = new AbortController()
  const stillAllowed = vi.fn(async () => true)
  const [onClose, onError, cleanUp] = [vi.fn(), vi.fn(), vi.fn()]
  let stream: EventStream | undefined
  const onOpen = (opened: EventStream) => {
    stream = opened
    opened.signal.addEventListener('abort', cleanUp)
    return undefined
  }
  const response = eventStream({ signal: request.signal, stopped: server.signal, stillAllowed, onOpen, onClose, onError, ...options })
  const reader = response.body?.getReader() as ReadableStreamDefaultReader<Uint8Array>
  const read = async () => new TextDecoder().decode((await reader.read()).value)
  return {
    response,
    stream: stream as EventStream,
    stillAllowed,
    onClose,
    onError,
    cleanUp,
    read,
    rest: async () => {
      let text = ''
      for (let next = await reader.read(); !next.done; next = await reader.read()) text += new TextDecoder().decode(next.value)
      return text
    },
    cancel: () => reader.cancel(),
    abort: () => request.abort(),
    stop: () => server.abort(),
  }
}
