import { hostname } from 'node:os'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { defineJob } from '../definition/define-job.ts'
import { defineHandler } from './define-handler.ts'
import { resolveOptions, type WorkerOptions } from './options.ts'

const handler = (type: string) => defineHandler(defineJob({ type, payload: z.object({}) }), async () => {})
const handlers = [handler('stats_parse'), handler('srt_parse')]
const resolve = (options: Partial<Record<keyof WorkerOptions, unknown>>) =>
  resolveOptions({ connection: 'postgres://x', handlers, ...options } as WorkerOptions)

describe('resolveOptions', () => {
  test('fills in the defaults', () => {
    expect(resolve({})).toMatchObject({
      connection: { connectionString: 'postgres://x' },
      maxConcurrent: 3,
      pollIntervalMs: 1_000,
      leaseMs: 30_000,
      drainMs: 25_000,
      version: null,
      host: hostname(),
    })
    expect([...resolve({}).handlers.keys()]).toEqual(['stats_parse', 'srt_parse'])
  })

  test("takes a pool's configuration as it is", () => {
    expect(resolve({ connection: { host: 'h', port: 1 } }).connection).toEqual({ host: 'h', port: 1 })
  })

  test.each([
    ['maxConcurrent', 1, 1_000],
    ['pollIntervalMs', 10, 600_000],
    ['leaseMs', 1_000, 3_600_000],
    ['drainMs', 0, 3_600_000],
  ] as const)('takes %s from %i to %i and nothing else', (name, min, max) => {
    expect(resolve({ [name]: min })[name]).toBe(min)
    expect(resolve({ [name]: max })[name]).toBe(max)
    for (const wrong of [min - 1, max + 1, min + 0.5, Number.NaN, Number.POSITIVE_INFINITY, String(min), null]) {
      if (wrong === null) continue
      expect(() => resolve({ [name]: wrong })).toThrow(
        expect.objectContaining({
          kind: 'configuration',
          code: 'WORKER_OPTION_INVALID',
          message: expect.stringContaining(`${name} must be`),
        }),
      )
    }
  })

  test('selects among the handlers', () => {
    expect([...resolve({ types: ['srt_parse', 'srt_parse'] }).handlers.keys()]).toEqual(['srt_parse'])
    expect(resolve({ types: [] }).handlers.size).toBe(0)
    expect(resolve({ handlers: [] }).handlers.size).toBe(0)
  })

  test('refuses a type it has no handler for, and asks what was meant', () => {
    expect(() => resolve({ types: ['stat_parse'] })).toThrow(
      expect.objectContaining({
        code: 'TYPE_NOT_IN_BUILD',
        message: expect.stringMatching(/Did you mean stats_parse\? It can run: stats_parse, srt_parse/),
      }),
    )
    expect(() => resolve({ handlers: [], types: ['x'] })).toThrow(/It can run: nothing/)
  })

  test('refuses two handlers of one type', () => {
    expect(() => resolve({ handlers: [...handlers, handler('srt_parse')] })).toThrow(expect.objectContaining({ code: 'DUPLICATE_TYPE' }))
  })
})
