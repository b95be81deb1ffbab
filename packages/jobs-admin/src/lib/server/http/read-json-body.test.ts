import { describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { readJsonBody } from './read-json-body.ts'

const schema = z.strictObject({ job_id: z.guid(), reason: z.string().max(200).optional() })
const jobId = '00000000-0000-4000-8000-00000000dead'

describe('readJsonBody', () => {
  test('gives what fits the schema', async () => {
    expect(await read(JSON.stringify({ job_id: jobId }))).toEqual({ value: { job_id: jobId } })
  })

  test.each([
    ['', 'The body is not JSON; expected an object like {"job_id": "…"}.'],
    ['{', 'The body is not JSON; expected an object like {"job_id": "…"}.'],
    ['[1]', 'The body is an array; expected an object like {"job_id": "…"}.'],
    ['null', 'The body is null; expected an object like {"job_id": "…"}.'],
    ['"x"', 'The body is a string; expected an object like {"job_id": "…"}.'],
    [`{"job_id":"${jobId}","__proto__":{"admin":true}}`, 'The body has the key "__proto__", which is not allowed anywhere.'],
    ['{"a":[{"constructor":1}]}', 'The body has the key "constructor", which is not allowed anywhere.'],
    ['{"a":{"b":{"prototype":1}}}', 'The body has the key "prototype", which is not allowed anywhere.'],
    [`{"a":${'['.repeat(32)}${']'.repeat(32)}}`, 'The body is nested deeper than 32 levels.'],
    [`{"a":${'['.repeat(60_000)}${']'.repeat(60_000)}}`, 'The body is nested deeper than 32 levels.'],
    [`{"job_id":"${jobId}","jobid":1}`, 'Unrecognized key: "jobid"'],
    ['{"job_id":"nr. 7"}', 'job_id: Invalid GUID'],
  ])('%.60s: 400 says what was expected', async (text, detail) => {
    expect(await read(text)).toEqual({ problem: { status: 400, code: 'BODY_INVALID', detail } })
  })

  test('a limit is kept to the byte', async () => {
    const exact = (size: number) => `{"job_id":"${jobId}"${' '.repeat(size - jobId.length - 13)}}`
    expect(exact(131_072)).toHaveLength(131_072)
    expect(await read(exact(131_072))).toHaveProperty('value')
    expect(await read(exact(131_073))).toMatchObject({ problem: { status: 413, code: 'BODY_TOO_LARGE' } })
  })

  test('of ten megabytes little more than the limit is taken', async () => {
    let taken = 0
    const body = new ReadableStream(
      {
        pull(controller) {
          taken += 65_536
          if (taken > 10_000_000) controller.close()
          else controller.enqueue(new Uint8Array(65_536).fill(32))
        },
      },
      { highWaterMark: 0 },
    )
    expect(await readJsonBody(post(body), schema)).toMatchObject({ problem: { status: 413 } })
    expect(taken).toBeLessThanOrEqual(4 * 65_536)
  })

  test('a declared length that is too large is not waited for', async () => {
    const request = post(new ReadableStream(), { 'content-length': '10000000' })
    expect(await readJsonBody(request, schema)).toMatchObject({ problem: { status: 413 } })
  })

  test('a body that does not come is given up', async () => {
    vi.useFakeTimers()
    const answer = readJsonBody(post(new ReadableStream()), schema, { timeoutMs: 5_000 })
    await vi.advanceTimersByTimeAsync(5_000)
    vi.useRealTimers()
    expect(await answer).toEqual({ problem: { status: 408, code: 'BODY_LATE', detail: 'The body did not come within 5000 ms.' } })
  })

  test('bytes that are not UTF-8, and a body that breaks off', async () => {
    expect(await readJsonBody(post(new Blob([new Uint8Array([0x7b, 0xff, 0x7d])]).stream()), schema)).toMatchObject({
      problem: { status: 400, detail: 'The body is not UTF-8.' },
    })
    const broken = new ReadableStream({ start: (controller) => controller.error(new Error('aborted')) })
    expect(await readJsonBody(post(broken), schema)).toMatchObject({ problem: { status: 400, detail: 'The body broke off.' } })
    const limited = new ReadableStream({ start: (controller) => controller.error({ status: 413 }) })
    expect(await readJsonBody(post(limited), schema)).toMatchObject({ problem: { status: 413 } })
  })

  test('a long name of an unknown key is cut', async () => {
    const answer = await read(JSON.stringify({ job_id: jobId, ['x'.repeat(5_000)]: 1 }))
    expect(answer).toMatchObject({ problem: { status: 400 } })
    expect('problem' in answer && answer.problem.detail.length).toBeLessThan(300)
  })
})

function read(text: string) {
  return readJsonBody(post(new Blob([text]).stream()), schema)
}

function post(body: ReadableStream, headers: Record<string, string> = {}): Request {
  return new Request('https://admin.example.org/intentions/retry_job', { method: 'POST', body, headers, duplex: 'half' } as RequestInit)
}
