import { isJobsError } from '@sidelinja/jobs-core'
import { describe, expect, test } from 'vitest'
import { createBreaker, type ServiceDownError } from '../../src/index.ts'
import { readSnapshot } from '../../src/testing/snapshot.ts'
import { answered, down, unreachable, useBreakers } from './support.ts'

const breakers = useBreakers()
const { row, openAndDue, begin, fail, failTimes, succeed } = breakers
const captions = () => createBreaker(breakers.db, { service: 'captions' })

describe('a service that is well', () => {
  test('is called, and leaves no row', async () => {
    expect(await succeed()).toBe('words')
    expect(await row()).toBeUndefined()
  })

  test('may fail four times in a row: each caller gets its own error', async () => {
    const errors = [unreachable(), answered(500), answered(503), answered(529)]
    for (const error of errors) expect(await fail(error)).toBe(error)
    expect(await row()).toMatchObject({ failures: 4, open: false, errorCode: 'UPSTREAM_UNAVAILABLE', httpStatus: 529 })
    expect(await succeed()).toBe('words')
    expect(await row()).toMatchObject({ failures: 0, open: false, openings: 0 })
  })

  test.each([400, 404, 413, 422, 429])('is not counted out for answering %i, whoever asks', async (status) => {
    await failTimes(4)
    const error = answered(status)
    for (let n = 0; n < 6; n++) expect(await fail(error)).toBe(error)
    // A limit says nothing; another answer, that it is there.
    expect(await row()).toMatchObject({ open: false, failures: status === 429 ? 4 : 0 })
  })

  test('is not counted out for what others throw, nor for aborts', async () => {
    for (const error of [new TypeError('x'), AbortSignal.abort().reason, answered(503, 30_000), undefined]) {
      for (let n = 0; n < 6; n++) expect(await fail(error)).toBe(error)
    }
    expect(await row()).toBeUndefined()
  })

  test('is judged by the caller, where that knows better', async () => {
    const breaker = createBreaker(breakers.db, { service: 'captions', verdict: () => 'ignore' })
    await expect(breaker.call(() => Promise.reject(answered(403)))).rejects.toMatchObject({ status: 403 })
    const broken = createBreaker(breakers.db, {
      service: 'captions',
      verdict: () => {
        throw new Error('a judge that fails')
      },
    })
    await expect(broken.call(() => Promise.reject(answered(403)))).rejects.toMatchObject({ status: 403 })
    expect(await row()).toBeUndefined()
  })
})

describe('a service that goes down', () => {
  test('by its third failure when the first is a minute old: a job that comes back alone does not use up its attempts', async () => {
    await failTimes(2)
    await breakers.db
      .updateTable('service_breakers' as never)
      .set({ failing_since: new Date(Date.now() - 61_000) } as never)
      .execute()
    expect(await fail(unreachable())).toEqual(down)
    expect(await row()).toMatchObject({ failures: 3, open: true, openings: 1 })
  })

  test('but not by the second, however old the first is', async () => {
    await failTimes(1)
    await breakers.db
      .updateTable('service_breakers' as never)
      .set({ failing_since: new Date(Date.now() - 3_600_000) } as never)
      .execute()
    const error = unreachable()
    expect(await fail(error)).toBe(error)
  })

  test('by its fifth failure in a row: that caller is put off, with the error as the cause, and nobody calls any more', async () => {
    await failTimes(4)
    const error = unreachable()
    const fifth = (await fail(error)) as ServiceDownError
    expect(fifth).toEqual(down)
    expect(fifth.cause).toBe(error)
    expect(isJobsError(fifth, 'snooze')).toBe(true)
    expect(fifth.message).toContain('captions has been down since')
    let called = 0
    const others = await Promise.all(
      [1, 2, 3].map(() =>
        captions()
          .call(async () => called++)
          .catch((thrown: unknown) => thrown as ServiceDownError),
      ),
    )
    expect(called).toBe(0)
    for (const { delayMs } of [fifth, ...(others as ServiceDownError[])]) {
      expect(delayMs).toBeGreaterThan(25_000)
      expect(delayMs).toBeLessThanOrEqual(33_000)
    }
    expect(await row()).toMatchObject({ open: true, openings: 1, probes: 0, probing: false, errorMsg: 'captions could not be reached.' })
  })

  test.each([401, 403])('at once by answering %i', async (status) => {
    expect(await fail(answered(status))).toEqual(down)
    expect(await row()).toMatchObject({ open: true, openings: 1, httpStatus: status })
  })

  test('as long as it asks for, within a quarter of an hour', async () => {
    await failTimes(4)
    await fail(answered(500, 120_000))
    expect((await row())?.probeInMs).toBeGreaterThan(110_000)
    await breakers.database.pool.query(`select reset_service_breaker('captions')`)
    await failTimes(4)
    await fail(answered(500, 86_400_000))
    expect((await row())?.probeInMs).toBeLessThanOrEqual(900_000)
  })

  test('puts off calls that were under way and fail, without counting them; others end as they end', async () => {
    const [lost, done, unrelated] = [Promise.withResolvers<void>(), Promise.withResolvers<string>(), Promise.withResolvers<void>()]
    const underWay = await Promise.all([lost, done, unrelated].map(({ promise }) => begin(promise as Promise<unknown>)))
    await fail(answered(401))
    const before = await row()
    lost.reject(unreachable())
    done.resolve('words')
    unrelated.reject(answered(404))
    expect(await Promise.all(underWay.map(({ ended }) => ended))).toEqual([down, 'words', expect.objectContaining({ status: 404 })])
    expect(await row()).toEqual({ ...before, probeInMs: expect.any(Number) })
  })

  test('is not blamed for calls that began before it was back', async () => {
    const lost = Promise.withResolvers<void>()
    const { ended } = await begin(lost.promise)
    await openAndDue()
    await succeed()
    const error = answered(401)
    lost.reject(error)
    expect(await ended).toBe(error)
    expect(await row()).toMatchObject({ open: false, failures: 0, openings: 1 })
  })
})

describe('a breaker', () => {
  test.each(['', 'Captions', 'a b', 'x'.repeat(64), undefined])('needs a name: %j', (service) => {
    expect(() => createBreaker(breakers.db, { service: service as string })).toThrow(
      expect.objectContaining({ code: 'DEFINITION_INVALID' }),
    )
  })

  test('of one service says nothing of another', async () => {
    await fail(answered(401))
    expect(await createBreaker(breakers.db, { service: 'gateway' }).call(async () => 'thoughts')).toBe('thoughts')
  })

  test('takes what an error says, however it looks: NUL, half a pair, a megabyte', async () => {
    await failTimes(5, Object.assign(answered(500), { message: `a\0b\ud800${'x'.repeat(1e6)}`, code: 'NOT A CODE' }))
    const { errorCode, errorMsg } = (await row()) ?? {}
    expect(errorCode).toBeNull()
    expect(errorMsg?.length).toBe(500)
  })

  test('is nothing that a handler writes, as the conformance suite sees it', async () => {
    const before = await readSnapshot(breakers.database)
    await fail(answered(401))
    expect(await readSnapshot(breakers.database)).toEqual(before)
    expect([...before.keys()]).toContain('nodes')
  })

  test('knows its verdicts', async () => {
    await expect(breakers.database.pool.query(`select record_service_call('captions', 0, null, 'maybe')`)).rejects.toMatchObject({
      code: '22023',
    })
  })
})
