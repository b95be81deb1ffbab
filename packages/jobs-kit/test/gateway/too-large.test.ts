import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createTestDatabase, type TestDatabase } from '@sidelinja/jobs-core/testing'
import { type GatewayStandIn, type GatewayStandInOptions, gatewayReply } from '@sidelinja/jobs-kit/testing'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { arrangeAsking } from './support.ts'

let database: TestDatabase
let standIn: GatewayStandIn
beforeAll(async () => {
  database = await createTestDatabase(inject('server'))
})
afterAll(() => database.drop())
afterEach(() => standIn.close())

async function arrange(options: GatewayStandInOptions = {}, elsewhere?: URL) {
  const arranged = await arrangeAsking(database, options, elsewhere && { elsewhere })
  standIn = arranged.standIn
  return arranged
}

describe('a reply that no step could hold', () => {
  const tooLarge = { code: 'REPLY_TOO_LARGE', kind: 'permanent', message: expect.stringMatching(/collection's settings \(models\)/) }
  const saying = (characters: number) => gatewayReply(JSON.stringify({ summary: 'x'.repeat(characters), action_points: [] }))

  test('is a failure for good that says what to do, is paid for once, and says nothing against the gateway', async () => {
    const { ask, calls, steps } = await arrange({ answer: () => saying(1_048_576) })
    await expect(ask()).rejects.toMatchObject(tooLarge)
    expect(steps.size).toBe(0)
    expect(standIn.requests).toHaveLength(1)
    expect(await calls()).toMatchObject([{ error_code: 'REPLY_TOO_LARGE', cost_usd: expect.stringMatching(/\d/) }])
  })

  test('is one where it is just too long, and none where it just fits', async () => {
    const { ask } = await arrange({ answer: ({ chat }) => saying(chat?.messages[1]?.content.includes('lang') ? 999_999 : 999_000) })
    await expect(ask({ data: { text: 'lang' } })).rejects.toMatchObject(tooLarge)
    expect((await ask()).summary).toHaveLength(999_000)
  })

  test('is not even read where the answer does not end', async () => {
    let sent = 0
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536, 'x'))) sent += 65_536
        if (!response.destroyed) response.once('drain', more)
      }
      more()
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    try {
      const { port } = server.address() as AddressInfo
      const { ask, calls } = await arrange({}, new URL(`http://127.0.0.1:${port}`))
      await expect(ask()).rejects.toMatchObject(tooLarge)
      // What lies in the sockets' buffers comes on top of what is read.
      expect(sent).toBeLessThan(16 * 1_048_576)
      expect(await calls()).toMatchObject([{ error_code: 'REPLY_TOO_LARGE' }])
    } finally {
      server.closeAllConnections()
      server.close()
    }
  })
})
