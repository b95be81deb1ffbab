import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { keepProbe } from '../../src/breaker/keep-probe.ts'
import type { ServiceDownError } from '../../src/index.ts'
import { admitServiceCall } from '../../src/storage/breakers/admit-service-call.ts'
import { answered, down, unreachable, useBreakers } from './support.ts'

const breakers = useBreakers()
const { row, begin, expireProbe, fail, failTimes, makeDue, openAndDue, refused, succeed } = breakers

describe('a probe', () => {
  test('that succeeds opens the way for all', async () => {
    await openAndDue()
    expect(await succeed()).toBe('words')
    expect(await row()).toMatchObject({ open: false, failures: 0, probes: 0, probing: false, openings: 1 })
    await failTimes(4)
    expect(await row()).toMatchObject({ open: false, failures: 4 })
  })

  test('that fails makes the next one wait, twice as long each time, up to a quarter of an hour', async () => {
    await openAndDue()
    const waits: number[] = []
    for (let n = 0; n < 12; n++) {
      await makeDue()
      const thrown = (await fail(n % 2 ? unreachable() : answered(401))) as ServiceDownError
      expect(thrown).toEqual(down)
      waits.push(Math.round(((await row())?.probeInMs ?? 0) / 1_000))
      expect(thrown.delayMs / 1_000).toBeGreaterThanOrEqual(waits.at(-1) ?? 0)
      expect(thrown.delayMs / 1_000).toBeLessThan((waits.at(-1) ?? 0) * 1.1 + 4)
    }
    expect(waits).toEqual([60, 120, 240, 480, ...Array(8).fill(900)])
    expect(await row()).toMatchObject({ openings: 1, probes: 12 })
  })

  test.each([404, 422])('that is answered with %i has found the service there', async (status) => {
    await openAndDue()
    expect(await fail(answered(status))).toMatchObject({ name: 'UpstreamError', status })
    expect(await row()).toMatchObject({ open: false })
  })

  test('that is told to slow down waits as long, and neither opens nor counts', async () => {
    await openAndDue()
    expect(await fail(answered(429, 45_000))).toMatchObject({ name: 'UpstreamError', status: 429 })
    expect(await row()).toMatchObject({ open: true, probes: 0, probing: false })
    expect((await row())?.probeInMs).toBeGreaterThan(40_000)
  })

  test('that is aborted makes room for the next one at once', async () => {
    await openAndDue()
    const aborted = Promise.withResolvers<void>()
    const { ended } = await begin(aborted.promise)
    expect(await refused()).toEqual(down)
    aborted.reject(AbortSignal.abort().reason)
    expect(await ended).toMatchObject({ name: 'AbortError' })
    expect(await row()).toMatchObject({ open: true, probing: false, probes: 0 })
    expect(await succeed()).toBe('words')
  })

  test('that is under way puts the others off for half a minute', async () => {
    await openAndDue()
    const pending = Promise.withResolvers<void>()
    const { ended } = await begin(pending.promise)
    const { delayMs } = await refused()
    expect(delayMs).toBeGreaterThanOrEqual(30_000)
    expect(delayMs).toBeLessThanOrEqual(33_000)
    pending.resolve()
    await ended
    expect(await succeed()).toBe('words')
  })

  test('that fell silent is taken for dead after a minute: what it says then changes nothing, unless it found the service well', async () => {
    await openAndDue()
    const [first, second, third] = [Promise.withResolvers<void>(), Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const calls: { ended: Promise<unknown> }[] = []
    for (const { promise } of [first, second, third]) {
      calls.push(await begin(promise))
      await expireProbe()
    }
    first.reject(unreachable())
    expect(await calls[0]?.ended).toEqual(down)
    expect(await row()).toMatchObject({ open: true, probes: 0, probing: true })
    second.resolve()
    await calls[1]?.ended
    expect(await row()).toMatchObject({ open: false, probing: false })
    third.reject(unreachable())
    expect(await calls[2]?.ended).toMatchObject({ code: 'UPSTREAM_UNREACHABLE' })
    expect(await row()).toMatchObject({ open: false, failures: 0 })
  })

  test('is kept alive while its call lasts, and no longer', async () => {
    await openAndDue()
    const { probe } = await admitServiceCall(breakers.db, 'captions')
    await breakers.database.pool.query(`update service_breakers set probe_expires_at = clock_timestamp() + interval '1 second'`)
    // One connection: when a statement of ours has gone through, none of its own is under way.
    const db = breakers.connect(1)
    const stop = keepProbe(db, 'captions', probe ?? '', 20)
    const renewed = `select from service_breakers where probe_expires_at > clock_timestamp() + interval '50 seconds'`
    while ((await breakers.database.pool.query(renewed)).rows.length === 0);
    expect(await refused()).toEqual(down)
    stop()
    await sql`select`.execute(db)
    await expireProbe()
    await sql`select`.execute(db)
    expect(await succeed()).toBe('words')
  })

  test('that was taken for dead is not kept alive', async () => {
    await openAndDue()
    const { probe } = await admitServiceCall(breakers.db, 'captions')
    await expireProbe()
    const next = await admitServiceCall(breakers.db, 'captions')
    expect(next.probe).not.toBe(probe)
    const stop = keepProbe(breakers.db, 'captions', probe ?? '', 1)
    const { rows } = await breakers.database.pool.query(
      `select renew_service_probe('captions', $1) as old, renew_service_probe('captions', $2) as new`,
      [probe, next.probe],
    )
    stop()
    expect(rows).toEqual([{ old: false, new: true }])
  })
})
