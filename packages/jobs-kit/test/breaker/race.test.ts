import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Kysely } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { createBreaker } from '../../src/index.ts'
import { admitServiceCall } from '../../src/storage/breakers/admit-service-call.ts'
import { answered, down, unreachable, useBreakers } from './support.ts'

const breakers = useBreakers()
const { row, expireProbe, openAndDue, succeed } = breakers
const callers = 20
const rounds = 25
let connections: Kysely<unknown>[] = []

// Each caller as a worker of its own.
beforeAll(async () => {
  connections = Array.from({ length: callers }, () => breakers.connect(1))
  await Promise.all(connections.map((db) => admitServiceCall(db, 'warm')))
})

/** All at once; the service answers when every caller who may has called it and every other was told. */
async function callAtOnce(end: () => Promise<unknown>): Promise<{ called: number; outcomes: unknown[] }> {
  const heard = Promise.withResolvers<void>()
  let called = 0
  let told = 0
  const hear = () => {
    if (++told === callers) heard.resolve()
  }
  const call = async (db: Kysely<unknown>) => {
    let mine = false
    try {
      return await createBreaker(db, { service: 'captions' }).call(async () => {
        mine = true
        called++
        hear()
        await heard.promise
        return end()
      })
    } catch (error) {
      if (!mine) hear()
      return error
    }
  }
  const outcomes = await Promise.all(connections.map(call))
  return { called, outcomes }
}

describe('of twenty callers at the same moment', () => {
  test('exactly one probes a service that is down; the others are put off', async () => {
    for (let round = 0; round < rounds; round++) {
      await openAndDue()
      const { called, outcomes } = await callAtOnce(async () => 'words')
      expect(called).toBe(1)
      expect(outcomes.filter((outcome) => outcome === 'words')).toHaveLength(1)
      expect(outcomes.filter((outcome) => outcome !== 'words')).toEqual(Array(callers - 1).fill(down))
      expect(await row()).toMatchObject({ open: false, probing: false, openings: round + 1 })
    }
  })

  test('exactly one probes anew when the probe before it died', async () => {
    await openAndDue()
    for (let round = 0; round < rounds; round++) {
      await admitServiceCall(breakers.db, 'captions')
      await expireProbe()
      const { called } = await callAtOnce(() => Promise.reject(new Error('aborted')))
      expect(called).toBe(1)
    }
    expect(await row()).toMatchObject({ open: true, probing: false, probes: 0, openings: 1 })
  })

  test('no more than one fails as a probe, and the next waits once as long, not twenty times', async () => {
    await openAndDue()
    const { called, outcomes } = await callAtOnce(() => Promise.reject(answered(503)))
    expect(called).toBe(1)
    expect(outcomes).toEqual(Array(callers).fill(down))
    expect(await row()).toMatchObject({ open: true, probes: 1 })
  })

  test('who all fail, the fifth opens it, once; the four before it have their own error', async () => {
    for (let round = 0; round < rounds; round++) {
      const { called, outcomes } = await callAtOnce(() => Promise.reject(unreachable()))
      expect(called).toBe(callers)
      expect(outcomes.filter((outcome) => (outcome as { code: string }).code === 'UPSTREAM_UNREACHABLE').length).toBeLessThanOrEqual(4)
      expect(await row()).toMatchObject({ open: true, openings: round + 1, failures: 5, probes: 0 })
      await breakers.database.pool.query(`select reset_service_breaker('captions')`)
    }
  })

  test('who are all refused their credentials, the first opens it, once', async () => {
    const { called, outcomes } = await callAtOnce(() => Promise.reject(answered(401)))
    expect(called).toBe(callers)
    expect(outcomes).toEqual(Array(callers).fill(down))
    expect(await row()).toMatchObject({ open: true, openings: 1, failures: 1 })
  })
})

test('a probe whose process is killed holds the others up for a minute, and no longer', async () => {
  await openAndDue()
  const script = fileURLToPath(new URL('probing-process.ts', import.meta.url))
  const child = spawn(process.execPath, ['--conditions=@sidelinja/source', script, breakers.database.connectionString], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  expect(await row()).toMatchObject({ probing: true })
  child.kill('SIGKILL')
  await once(child, 'exit')
  await expect(succeed()).rejects.toEqual(down)
  await breakers.passes('59 seconds')
  await expect(succeed()).rejects.toEqual(down)
  await breakers.passes('2 seconds')
  expect(await succeed()).toBe('words')
})
