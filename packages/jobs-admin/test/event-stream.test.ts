import { once } from 'node:events'
import { createServer, get, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequest, setResponse } from '@sveltejs/kit/node'
import { afterEach, expect, test, vi } from 'vitest'
import { type EventStream, type EventStreamOptions, eventStream } from '../src/lib/server/stream/event-stream.ts'

// Through Node's server, as the adapter drives it.

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.closeAllConnections()
})

test('events arrive as they are sent, and the end of a stream reaches whoever listens', async () => {
  const { answer, stream } = await connect()
  expect(answer.headers['content-type']).toBe('text/event-stream')
  const text = collect(answer)
  stream.send({ event: 'jobs', data: { changed: 1 } })
  await vi.waitFor(() => expect(text()).toContain('event: jobs\ndata: {"changed":1}\n\n'))
  stream.close()
  await once(answer, 'end')
})

test('a reader that goes away frees its place', async () => {
  const { answer, stream, onClose } = await connect()
  answer.destroy()
  await vi.waitFor(() => expect(stream.signal.aborted).toBe(true))
  expect(onClose).toHaveBeenCalledTimes(1)
})

test('a reader that does not read is cut off, with little held for it', async () => {
  const { answer, stream } = await connect({ burstMs: 0 })
  answer.pause()
  const before = process.memoryUsage().arrayBuffers
  let sent = 0
  // The kernel's own buffers take some megabytes first.
  while (!stream.signal.aborted && sent < 200_000_000) {
    stream.send({ data: 'x'.repeat(60_000) })
    sent += 60_000
    await new Promise((resolve) => setTimeout(resolve))
  }
  expect(stream.signal.aborted).toBe(true)
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(50_000_000)
})

async function connect(options: Partial<EventStreamOptions> = {}) {
  const opened = Promise.withResolvers<EventStream>()
  const onClose = vi.fn()
  const server = createServer((request, response) => {
    const { signal } = getRequest({ base: 'http://localhost', request, response })
    const onOpen = (stream: EventStream) => {
      opened.resolve(stream)
      return undefined
    }
    setResponse(response, eventStream({ signal, stillAllowed: async () => true, onOpen, onClose, ...options }))
  })
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const [answer] = (await once(get({ port: (server.address() as AddressInfo).port }), 'response')) as [IncomingMessage]
  return { answer, stream: await opened.promise, onClose }
}

function collect(answer: IncomingMessage): () => string {
  let text = ''
  answer.on('data', (chunk) => (text += chunk))
  return () => text
}
