import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { afterEach, describe, expect, test } from 'vitest'
import { textAnswer } from './answer.ts'
import type { Fault } from './faults.ts'
import { discardBody } from './read-body.ts'
import type { ReceivedRequest } from './received.ts'
import type { StandIn } from './stand-in.ts'
import { startStandIn } from './start-stand-in.ts'

let standIn: StandIn
afterEach(() => standIn.close())

const start = async (...faults: Fault[]) => {
  standIn = await startStandIn<ReceivedRequest>(
    { describe: () => 'a test', receive: discardBody, answer: async () => textAnswer(200, 'hello') },
    { faults },
  )
  return standIn
}

const get = (signal?: AbortSignal) => fetch(`${standIn.url}/path?a=1`, signal ? { signal } : {})
const text = async () => (await get()).text()

describe('startStandIn', () => {
  test('answers, and keeps what came', async () => {
    await start()
    expect(standIn.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect(await text()).toBe('hello')
    const request = await standIn.received(1)
    expect(request).toMatchObject({ method: 'GET', path: '/path', status: 200 })
    expect(request.query.get('a')).toBe('1')
    expect(await request.ended).toBe('answered')
    expect(standIn.requests).toHaveLength(1)
  })

  test('faults meet requests in their order, so many each, and then all is well', async () => {
    await start({ answer: { status: 503, headers: { 'retry-after': '7' } }, times: 2 }, { answer: { body: 'oh' } })
    const answers = [await get(), await get(), await get(), await get()]
    expect(answers.map(({ status }) => status)).toEqual([503, 503, 500, 200])
    expect(answers[0]?.headers.get('retry-after')).toBe('7')
    expect(await answers[2]?.text()).toBe('oh')
  })

  test('faults without end, until it recovers', async () => {
    await start({ answer: { status: 502 }, times: Number.POSITIVE_INFINITY })
    expect([(await get()).status, (await get()).status, (await get()).status]).toEqual([502, 502, 502])
    standIn.recover()
    expect((await get()).status).toBe(200)
  })

  test('waits before the headers', async () => {
    await start({ delayMs: 150 })
    const before = performance.now()
    await get()
    expect(performance.now() - before).toBeGreaterThan(140)
  })

  test('drips the body, which is whole in the end', async () => {
    await start({ dripMs: 5 })
    const response = await get()
    const pieces: Uint8Array[] = []
    for await (const piece of response.body ?? []) pieces.push(piece)
    expect(pieces.length).toBeGreaterThan(1)
    expect(Buffer.concat(pieces).toString()).toBe('hello')
  })

  test('says nothing, until the client leaves', async () => {
    await start({ hang: 'before-headers' })
    const leave = new AbortController()
    const waiting = get(leave.signal)
    const request = await standIn.received(1)
    leave.abort(new Error('enough'))
    await expect(waiting).rejects.toThrow('enough')
    expect(await request.ended).toBe('left')
    expect(request.status).toBe(200)
  })

  test('stops in the middle of the body', async () => {
    await start({ hang: 'mid-body' })
    const leave = new AbortController()
    const response = await get(leave.signal)
    expect(response.headers.get('content-length')).toBe('5')
    const reader = response.body?.getReader()
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('hel')
    leave.abort()
    expect(await standIn.requests[0]?.ended).toBe('left')
  })

  test('cuts the connection before the headers and in the middle of the body', async () => {
    await start({ drop: 'before-headers' }, { drop: 'mid-body' })
    await expect(get()).rejects.toThrow()
    const response = await get()
    expect(response.status).toBe(200)
    await expect(response.text()).rejects.toThrow()
    expect(await Promise.all(standIn.requests.map(({ ended }) => ended))).toEqual(['cut', 'cut'])
  })

  test('cuts an upload', async () => {
    await start({ upload: 'drop' })
    const upload = openUpload()
    upload.write('x'.repeat(100))
    const [error] = await once(upload, 'error')
    expect(error.code).toMatch(/ECONNRESET|EPIPE/)
    expect(await standIn.requests[0]?.ended).toBe('cut')
  })

  test('stops reading an upload', async () => {
    await start({ upload: 'stall' })
    const upload = openUpload()
    upload.on('error', () => {})
    // More than all buffers on the way take: the last write is never flushed.
    let flushed = false
    upload.write(Buffer.alloc(64 * 1024 * 1024), () => {
      flushed = true
    })
    const request = await standIn.received(1)
    await get()
    expect(flushed).toBe(false)
    upload.destroy()
    await standIn.close()
    expect(await request.ended).toBe('left')
  })

  test('a fault of the stand-in’s own is an answer that says so', async () => {
    standIn = await startStandIn<ReceivedRequest>({
      describe: () => 'broken',
      receive: discardBody,
      answer: () => Promise.reject(new Error('no such luck')),
    })
    const response = await get()
    expect(response.status).toBe(500)
    expect(await response.text()).toBe('The stand-in failed: Error: no such luck')
  })

  test('closing cuts what is open and waits for what runs', async () => {
    await start({ hang: 'before-headers' })
    const waiting = get().catch((error: unknown) => error)
    await standIn.received(1)
    await standIn.close()
    expect(await waiting).toBeInstanceOf(Error)
    expect(await standIn.requests[0]?.ended).toBe('left')
    await expect(get()).rejects.toThrow()
  })

  test('knows how many requests were open at once', async () => {
    await start({ hang: 'before-headers', times: 3 })
    const leave = new AbortController()
    const waiting = Promise.allSettled([get(leave.signal), get(leave.signal), get(leave.signal)])
    await standIn.received(3)
    leave.abort()
    await waiting
    expect(standIn.peak).toBe(3)
  })
})

function openUpload() {
  return httpRequest(standIn.url, { method: 'POST', headers: { 'content-length': String(64 * 1024 * 1024) } })
}
