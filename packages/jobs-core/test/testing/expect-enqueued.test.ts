import { AssertionError } from 'node:assert'
import { beforeEach, describe, expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import type { Job } from '../../src/admin/index.ts'
import { defineJob, type EnqueueOptions, enqueue } from '../../src/index.ts'
import { enqueuedJobs, expectEnqueued, insertNode, refuteEnqueued, travel } from '../../src/testing/index.ts'
import { useQueue } from '../support/use-queue.ts'

const queue = useQueue()
const sendMail = defineJob({
  type: 'send_mail',
  payload: z.object({ to: z.string(), lines: z.array(z.object({ text: z.string() })).default([]), at: z.number().optional() }),
  priority: 5,
})
const tidy = defineJob({ type: 'tidy', payload: z.object({}) })
const send = (to: string, options: Partial<EnqueueOptions> = {}) =>
  enqueue(queue.db, sendMail, { to, lines: [{ text: 'Hello' }] }, { collectionNodeId: queue.collectionNodeId, ...options })
const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.unreachable(),
    (error: Error) => error,
  )

describe('expectEnqueued', () => {
  beforeEach(async () => {
    await send('ada@example.com', { priority: 10, unique: { key: 'ada' }, correlationId: 'c/1', maxAttempts: 7 })
    await send('bob@example.com', { scheduledFor: new Date(Date.now() + 7_200_000) })
  })

  test.each<[what: string, options: Parameters<typeof expectEnqueued<{ to: string; lines?: { text: string }[] }>>[2], to: string[]]>([
    ['nothing more', {}, ['ada', 'bob']],
    ['a part of the payload', { payload: { to: 'bob@example.com' } }, ['bob']],
    ['a pattern in it', { payload: { to: /^a/, lines: [{ text: /hello/i }] } }, ['ada']],
    ['a matcher in it', { payload: { to: expect.stringContaining('bob') } }, ['bob']],
    ['a priority', { priority: 10 }, ['ada']],
    ["the definition's priority", { priority: 5, maxAttempts: 3 }, ['bob']],
    ['attempts', { maxAttempts: 7 }, ['ada']],
    ['a unique key', { uniqueKey: 'ada' }, ['ada']],
    ['no unique key', { uniqueKey: null }, ['bob']],
    ['a correlation', { correlationId: 'c/1' }, ['ada']],
    ['no correlation', { correlationId: null }, ['bob']],
    ['a length of time', { scheduledFor: { hours: 2 } }, ['bob']],
    ['no delay', { scheduledFor: { seconds: 0 } }, ['ada']],
    ['a time', { scheduledFor: new Date(Date.now() + 7_200_000) }, ['bob']],
    ['a status', { status: ['pending', 'retry'], count: 2 }, ['ada', 'bob']],
  ])('finds jobs with %s', async (_what, options, to) => {
    const found = await expectEnqueued(queue.db, sendMail, options)
    expect(found.map((job) => (job.payload as { to: string }).to.split('@')[0])).toEqual(to)
  })

  test.each<[what: string, options: object, path: string]>([
    ['another payload', { payload: { to: 'eve@example.com' } }, 'payload.to: expected'],
    ['more lines', { payload: { lines: [] } }, 'payload.lines: expected'],
    ['another collection', { collectionNodeId: '01900000-0000-7000-8000-000000000000' }, 'collectionNodeId: expected'],
    ['another priority', { priority: 1 }, 'priority: expected 1, got'],
    ['other attempts', { maxAttempts: 1 }, 'maxAttempts: expected 1, got'],
    ['another key', { uniqueKey: 'eve' }, 'uniqueKey: expected'],
    ['another correlation', { correlationId: 'c/2' }, 'correlationId: expected'],
    ['another time', { scheduledFor: { hours: 1 } }, 'scheduledFor: expected'],
    ['another status', { status: 'completed' }, "status: expected 'completed', got 'pending'"],
  ])('fails for %s, and says where', async (_what, options, path) => {
    const error = await failureOf(expectEnqueued(queue.db, sendMail, options))
    expect(error).toBeInstanceOf(AssertionError)
    expect(error).toMatchObject({ operator: 'expectEnqueued', code: 'ERR_ASSERTION' })
    expect(error.message).toContain(path)
    expect(error.message).toContain('Enqueued as send_mail:')
  })

  test('fails for a wrong number and for a type that was not enqueued', async () => {
    expect((await failureOf(expectEnqueued(queue.db, sendMail, { count: 1 }))).message).toMatch(/^Expected 1 send_mail, got 2\./)
    expect((await failureOf(expectEnqueued(queue.db, 'tidy'))).message).toMatch(/^Expected at least one tidy, got 0\.\n.*send_mail ×2$/)
  })

  test('goes by the time since it was enqueued, however long ago that was', async () => {
    await travel(queue.db, { days: 3 })
    await expectEnqueued(queue.db, sendMail, { scheduledFor: { hours: 2 } })
  })

  test('keeps tenants apart', async () => {
    const other = await insertNode(queue.db)
    await send('eve@example.com', { collectionNodeId: other.id })
    await expectEnqueued(queue.db, sendMail, { collectionNodeId: other.id, payload: { to: 'eve@example.com' }, count: 1 })
    await refuteEnqueued(queue.db, sendMail, { collectionNodeId: queue.collectionNodeId, payload: { to: 'eve@example.com' } })
  })

  test('waits for code that enqueues later, when it is told to', async () => {
    const waiting = expectEnqueued(queue.db, sendMail, { payload: { to: 'late@example.com' }, timeoutMs: 10_000 })
    await send('late@example.com')
    expect(await waiting).toHaveLength(1)
    await failureOf(expectEnqueued(queue.db, sendMail, { payload: { to: 'never@example.com' }, timeoutMs: 20 }))
  })

  test.each<[options: unknown, message: RegExp]>([
    [{ paylaod: {} }, /^expectEnqueued\(send_mail\): there is no "paylaod"; did you mean payload\?/],
    [{ count: 0 }, /count must be a whole number, 1 or more, got 0\. For none at all there is refuteEnqueued\./],
    [{ status: 'done' }, /there is no status "done"/],
    [{ scheduledFor: { hour: 1 } }, /scheduledFor: there is no "hour"; did you mean hours\?/],
  ])('refuses %o', async (options, message) => {
    await expect(expectEnqueued(queue.db, sendMail, options as never)).rejects.toMatchObject({
      code: 'TEST_OPTION_INVALID',
      message: expect.stringMatching(message),
    })
  })

  test('knows the payload by the definition', () => {
    expectTypeOf(expectEnqueued<{ to: string }>)
      .parameter(2)
      .toExtend<{ payload?: { readonly to?: string | RegExp } | RegExp } | undefined>()
    // @ts-expect-error: no such key
    void (() => expectEnqueued(queue.db, sendMail, { payload: { too: 'x' } }))
    // @ts-expect-error: a number is no text
    void (() => expectEnqueued(queue.db, sendMail, { payload: { to: 1 } }))
    expectTypeOf(expectEnqueued).returns.resolves.toEqualTypeOf<[Job, ...Job[]]>()
  })
})

describe('refuteEnqueued', () => {
  test('passes only when there is no such job', async () => {
    await refuteEnqueued(queue.db, sendMail)
    await send('ada@example.com')
    await refuteEnqueued(queue.db, sendMail, { payload: { to: 'bob@example.com' } })
    await refuteEnqueued(queue.db, tidy)
    const error = await failureOf(refuteEnqueued(queue.db, 'send_mail', { payload: { to: /ada/ } }))
    expect(error).toBeInstanceOf(AssertionError)
    expect(error.message).toMatch(
      /^Expected no send_mail with payload \{ to: \/ada\/ \}, got 1:\n {2}pending, priority 5, \{ to: 'ada@example.com'/,
    )
  })

  test('refuses what could never match', async () => {
    await expect(refuteEnqueued(queue.db, 'Send mail')).rejects.toMatchObject({ code: 'TEST_OPTION_INVALID' })
    const never = [{ prio: 1 }, { status: [] }, { scheduledFor: new Date(Number.NaN) }, { priority: '0' }, { collectionNodeId: 'x' }]
    for (const expected of never) {
      await expect(refuteEnqueued(queue.db, sendMail, expected as never)).rejects.toMatchObject({ code: 'TEST_OPTION_INVALID' })
    }
  })

  test('knows a collection by its id in either case', async () => {
    await send('ada@example.com')
    const collectionNodeId = queue.collectionNodeId.toUpperCase()
    await expect(refuteEnqueued(queue.db, sendMail, { collectionNodeId })).rejects.toBeInstanceOf(AssertionError)
  })
})

describe('enqueuedJobs', () => {
  test('gives jobs in the order they were enqueued, all of them or those that are alike', async () => {
    await send('bob@example.com', { priority: 1 })
    await enqueue(queue.db, tidy, {}, { collectionNodeId: queue.collectionNodeId })
    await send('ada@example.com', { priority: 9 })
    const types = (jobs: Job[]) => jobs.map((job) => [job.job_type, job.priority])
    expect(types(await enqueuedJobs(queue.pool))).toEqual([
      ['send_mail', 1],
      ['tidy', 0],
      ['send_mail', 9],
    ])
    expect(types(await enqueuedJobs(queue.pool, 'send_mail', { payload: { to: /ada/ } }))).toEqual([['send_mail', 9]])
    await expect(enqueuedJobs(queue.pool, tidy, { satus: 'error' } as never)).rejects.toThrow(/did you mean status/)
  })
})
