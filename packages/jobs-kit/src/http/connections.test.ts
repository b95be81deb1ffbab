import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { createHttpClient } from './create-http-client.ts'

test('no connection stays open: a server that closes idle ones must not meet the next call halfway', async () => {
  const connections = new Set<unknown>()
  const server = createServer((request, response) => {
    connections.add(request.socket)
    response.end('{}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const client = createHttpClient({ service: 'testing' })
  for (let call = 0; call < 3; call++) {
    await client.request({ method: 'POST', url, json: {}, timeoutMs: 10_000, signal: new AbortController().signal })
  }
  expect(connections.size).toBe(3)
  server.close()
  await once(server, 'close')
})
