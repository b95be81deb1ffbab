import { describe, expect, expectTypeOf, test, vi } from 'vitest'
import { z } from 'zod'
import type { Queryable } from '../database/queryable.ts'
import { defineJob } from '../definition/define-job.ts'
import { enqueue, enqueueByType } from './enqueue.ts'
import { enqueueMany } from './enqueue-many.ts'
import type { EnqueueOptions } from './options.ts'
import { prepareByType, prepareJob } from './prepare.ts'

const collectionNodeId = '01900000-0000-7000-8000-000000000001'
const payload = z.object({ path: z.string(), tries: z.number().default(1) })
const definition = defineJob({ type: 'a_job', payload, priority: 5, maxAttempts: 7 })
const query = vi.fn(() => Promise.reject(new Error('no SQL expected')))
const db: Queryable = { query }

describe('prepareJob', () => {
  test("takes the definition's defaults where an option is missing or undefined", async () => {
    const job = await prepareJob(definition, { path: 'x' }, { collectionNodeId, priority: undefined, scheduledFor: undefined })
    expect(job).toMatchObject({ type: 'a_job', priority: 5, maxAttempts: 7, scheduledFor: null, uniqueKey: null, correlationId: null })
    expect(await prepareJob(definition, { path: 'x' }, { collectionNodeId, priority: 0, maxAttempts: 1 })).toMatchObject({
      ...{ priority: 0, maxAttempts: 1 },
    })
  })

  test('stores the payload as it was given: defaults are filled in when it runs', async () => {
    expect((await prepareJob(definition, { path: 'x' }, { collectionNodeId })).payloadJson).toBe('{"path":"x"}')
  })

  test('names every field that does not fit the schema', async () => {
    await expect(prepareJob(definition, { path: 7, tries: 'x' } as never, { collectionNodeId })).rejects.toMatchObject({
      code: 'PAYLOAD_INVALID',
      message: expect.stringMatching(/^enqueue\(a_job\): the payload does not fit the schema\. payload\.path: .*; payload\.tries: /),
    })
  })

  test('waits for schemas that check asynchronously', async () => {
    const slow = defineJob({ type: 'slow', payload: z.string().refine(async (text) => text === 'good') })
    await expect(prepareJob(slow, 'bad', { collectionNodeId })).rejects.toMatchObject({ code: 'PAYLOAD_INVALID' })
    expect((await prepareJob(slow, 'good', { collectionNodeId })).payloadJson).toBe('"good"')
  })

  test('refuses what fits the schema and not the table', async () => {
    const any = defineJob({ type: 'any_job', payload: z.any() })
    const prepare = (value: unknown) => prepareJob(any, value, { collectionNodeId })
    await expect(prepare({ a: 'x\0y' })).rejects.toMatchObject({
      code: 'PAYLOAD_NOT_JSON',
      message: expect.stringContaining('payload.a contains a NUL'),
    })
    await expect(prepare(undefined)).rejects.toMatchObject({ code: 'PAYLOAD_NOT_JSON' })
    await expect(prepare('å'.repeat(32_768))).rejects.toMatchObject({
      code: 'PAYLOAD_TOO_LARGE',
      message: expect.stringContaining('65538 bytes'),
    })
    expect((await prepare('å'.repeat(32_767))).payloadJson).toHaveLength(32_769)
  })
})

describe('prepareByType', () => {
  test('leaves the defaults to the database, which knows no definition', () => {
    expect(prepareByType('any_type', { a: 1 }, { collectionNodeId })).toMatchObject({ type: 'any_type', priority: null, maxAttempts: null })
  })

  test.each(['', 'Not Snake', 'x'.repeat(64), 7, undefined])('refuses %o for a type', (type) => {
    expect(() => prepareByType(type as string, {}, { collectionNodeId })).toThrow(expect.objectContaining({ code: 'JOB_TYPE_INVALID' }))
  })
})

describe('nothing is sent to the database', () => {
  test.each([
    ['a payload that does not fit', () => enqueue(db, definition, { path: 7 } as never, { collectionNodeId })],
    ['a wrong option', () => enqueue(db, definition, { path: 'x' }, { collectionNodeId, priority: 40_000 })],
    ['a type that is none', () => enqueueByType(db, 'NO', {}, { collectionNodeId })],
    [
      'one bad item among good ones',
      () => enqueueMany(db, definition, [{ payload: { path: 'x' } }, { payload: {} as never }], { collectionNodeId }),
    ],
    ['too many items', () => enqueueMany(db, definition, new Array(50_001).fill({ payload: { path: 'x' } }), { collectionNodeId })],
  ])('for %s', async (_name, call) => {
    await expect(call()).rejects.toMatchObject({ name: 'InvalidPayloadError', kind: 'permanent' })
    expect(query).not.toHaveBeenCalled()
  })

  test('for an empty list', async () => {
    expect(await enqueueMany(db, definition, [], { collectionNodeId })).toEqual([])
    expect(query).not.toHaveBeenCalled()
  })

  test('and the message says which item is wrong', async () => {
    const items = [{ payload: { path: 'x' } }, { payload: { path: 'y' }, priority: 1.5 }]
    await expect(enqueueMany(db, definition, items, { collectionNodeId })).rejects.toThrow(/^enqueueMany\(a_job\)\[1\]: priority must be/)
  })
})

describe('types', () => {
  test('the payload is what the schema takes, the tenant must be named', async () => {
    expectTypeOf(enqueue<z.input<typeof payload>>)
      .parameter(2)
      .toEqualTypeOf<{ path: string; tries?: number | undefined }>()
    expectTypeOf<EnqueueOptions>().toHaveProperty('collectionNodeId').toEqualTypeOf<string>()
    // @ts-expect-error: path must be a string
    await expect(enqueue(db, definition, { path: 7 }, { collectionNodeId })).rejects.toMatchObject({ code: 'PAYLOAD_INVALID' })
    // @ts-expect-error: path is missing
    await expect(enqueueMany(db, definition, [{ payload: {} }], { collectionNodeId })).rejects.toMatchObject({ code: 'PAYLOAD_INVALID' })
    // @ts-expect-error: collectionNodeId is missing
    await expect(enqueue(db, definition, { path: 'x' }, {})).rejects.toMatchObject({ code: 'OPTION_INVALID' })
    // @ts-expect-error: there is no such option
    await expect(enqueue(db, definition, { path: 'x' }, { collectionNodeId, prio: 1 })).rejects.toMatchObject({ code: 'OPTION_INVALID' })
    // @ts-expect-error: not one of the choices
    await expect(enqueue(db, definition, { path: 'x' }, { collectionNodeId, unique: { key: 'k', until: 'done' } })).rejects.toThrow(
      /unique\.until/,
    )
  })
})
