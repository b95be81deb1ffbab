import { connect, createServer, type Socket } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { createBreaker } from '../../src/index.ts'
import { answered, down, useBreakers } from './support.ts'

const breakers = useBreakers()
const { row, openAndDue, expireProbe, succeed } = breakers
const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

/** A breaker whose database can be taken away, by breaking its connections or by letting them say nothing. */
async function unsteadyBreaker() {
  const target = new URL(breakers.database.connectionString)
  const folder = target.searchParams.get('host')
  const port = Number(target.port || 5432)
  const sockets = new Set<Socket>()
  let state: 'up' | 'cut' | 'hushed' = 'up'
  const server = createServer((client) => {
    const upstream = folder?.startsWith('/') ? connect(`${folder}/.s.PGSQL.${port}`) : connect(port, target.hostname)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => [client, upstream].map((each) => each.destroy()))
    }
    if (state === 'cut') client.destroy()
    client.on('data', (data) => state === 'up' && upstream.write(data))
    upstream.on('data', (data) => state === 'up' && client.write(data))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const through = new URL(breakers.database.connectionString)
  Object.assign(through, { search: '', hostname: '127.0.0.1', port: String((server.address() as { port: number }).port) })
  closing.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return {
    breaker: createBreaker(breakers.connect(2, through.toString()), { service: 'captions' }),
    away(how: 'cut' | 'hushed') {
      state = how
      if (how === 'cut') for (const socket of sockets) socket.destroy()
    },
  }
}

describe('while the database is away', () => {
  test('a call goes through, and ends as it ends', async () => {
    const { breaker, away } = await unsteadyBreaker()
    away('cut')
    expect(await breaker.call(async () => 'words')).toBe('words')
    const error = answered(401)
    await expect(breaker.call(() => Promise.reject(error))).rejects.toBe(error)
    expect(await row()).toBeUndefined()
  })

  test.each(['cut', 'hushed'] as const)('what a call gave before is not lost, nor what it threw: %s', async (how) => {
    const { breaker, away } = await unsteadyBreaker()
    const error = answered(401)
    const begun = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const gone = Promise.withResolvers<void>()
    const ended = Promise.allSettled([
      breaker.call(async () => {
        begun[0]?.resolve()
        await gone.promise
        return 'words'
      }),
      breaker.call(async () => {
        begun[1]?.resolve()
        await gone.promise
        throw error
      }),
    ])
    await Promise.all(begun.map(({ promise }) => promise))
    away(how)
    gone.resolve()
    const both = await ended
    expect(both).toEqual([
      { status: 'fulfilled', value: 'words' },
      { status: 'rejected', reason: error },
    ])
    expect(await row()).toBeUndefined()
  })

  test('a probe that found the service well cannot say so: the next one finds it a minute later', async () => {
    await openAndDue()
    const { breaker, away } = await unsteadyBreaker()
    const result = await breaker.call(async () => {
      away('cut')
      return 'words'
    })
    expect(result).toBe('words')
    await expect(succeed()).rejects.toEqual(down)
    await expireProbe()
    expect(await succeed()).toBe('words')
    expect(await row()).toMatchObject({ open: false })
  })
})

test('a database that is there and refuses is a fault of the set-up, and said', async () => {
  const lost = breakers.connect(1, breakers.database.connectionString.replace(/\/[^/?]+(\?|$)/, '/template1$1'))
  const breaker = createBreaker(lost, { service: 'captions' })
  await expect(breaker.call(async () => 'words')).rejects.toMatchObject({ code: '42883' })
})
