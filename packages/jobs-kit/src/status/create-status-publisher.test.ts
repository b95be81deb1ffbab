import type { WorkerEvent } from '@sidelinja/jobs-core/worker'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createStatusPublisher, type StatusLimits } from './create-status-publisher.ts'
import type { StatusReport } from './status-report.ts'
import type { JobStatusUpdate, StatusSink } from './status-sink.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const job = (jobId: string) => ({ jobId, jobType: 't', collectionNodeId: 'c', attempt: 1, maxAttempts: 3, run: 1 })
const started = (id: string): WorkerEvent => ({ name: 'job.started', ...job(id), waitedMs: 0 })
const progress = (id: string, fraction: number): WorkerEvent => ({ name: 'job.progress', ...job(id), fraction, text: null })
const completed = (id: string): WorkerEvent => ({ name: 'job.completed', ...job(id), durationMs: 1 })

/** A publisher with a sink that does as `send` says, everything that was sent, and what was reported. */
function publisher(send: StatusSink['send'], limits: Partial<StatusLimits> = {}) {
  const sent: string[] = []
  const reports: StatusReport[] = []
  const sink: StatusSink = {
    name: 'test',
    send: (update: JobStatusUpdate, options) => {
      sent.push(`${update.jobId} ${update.status} ${update.progress}`)
      return send(update, options)
    },
    isRefusal: (error) => (error as Error).message === 'refused',
  }
  return { sent, reports, ...createStatusPublisher({ sink, limits, onReport: (report) => reports.push(report) }) }
}
const fail = (message: string) => () => Promise.reject(new Error(message))

describe('a publisher', () => {
  test('sends the newest of each job, 20 a second', async () => {
    const { onEvent, sent } = publisher(async () => {})
    for (const id of ['a', 'b', 'c']) onEvent(started(id))
    onEvent(progress('a', 0.5))
    onEvent(completed('c'))
    expect(sent).toEqual([])
    await vi.advanceTimersByTimeAsync(50)
    expect(sent).toEqual(['c completed 1'])
    await vi.advanceTimersByTimeAsync(100)
    expect(sent).toEqual(['c completed 1', 'a running 0.5', 'b running 0'])
  })

  test('never has two of one job on their way, and few at all', async () => {
    const ends: (() => void)[] = []
    const { onEvent, sent } = publisher(() => new Promise((resolve) => ends.push(resolve)), { maxInFlight: 2 })
    for (const id of ['a', 'b', 'c']) onEvent(started(id))
    await vi.advanceTimersByTimeAsync(500)
    onEvent(completed('a'))
    await vi.advanceTimersByTimeAsync(500)
    expect(sent).toEqual(['a running 0', 'b running 0'])
    ends[1]?.()
    await vi.advanceTimersByTimeAsync(100)
    expect(sent.at(-1)).toBe('c running 0')
    ends[0]?.()
    await vi.advanceTimersByTimeAsync(100)
    expect(sent.at(-1)).toBe('a completed 1')
  })

  test('tells an outage once, asks less and less often, and loses no end', async () => {
    let down = true
    const { onEvent, sent, reports } = publisher(() => (down ? fail('away, Bearer hunter2hunter2')() : Promise.resolve()))
    onEvent(started('a'))
    await vi.advanceTimersByTimeAsync(20_000)
    onEvent(completed('a'))
    onEvent(completed('b'))
    // At 50 ms, and 1, 3, 7 and 15 s later.
    expect(sent).toHaveLength(5)
    await vi.advanceTimersByTimeAsync(600_000)
    expect(sent.length).toBeLessThan(20)
    expect(reports).toEqual([
      { name: 'sink.down', sink: 'test', dropped: 0, error: expect.objectContaining({ message: 'away, Bearer ***' }) },
    ])
    down = false
    sent.length = 0
    await vi.advanceTimersByTimeAsync(60_000)
    expect(sent.toSorted()).toEqual(['a completed 1', 'b completed 1'])
    expect(reports.slice(1)).toEqual([{ name: 'sink.back', sink: 'test', dropped: 0, afterMs: expect.any(Number) }])
  })

  test('gives up after three tries what the service refuses for its own sake, and goes on', async () => {
    const { onEvent, sent, reports } = publisher(({ jobId }) => (jobId === 'bad' ? fail('refused')() : Promise.resolve()))
    onEvent(completed('bad'))
    await vi.advanceTimersByTimeAsync(10_000)
    expect(sent).toEqual(Array(3).fill('bad completed 1'))
    onEvent(completed('good'))
    await vi.advanceTimersByTimeAsync(10_000)
    expect(sent.at(-1)).toBe('good completed 1')
    expect(reports.map(({ name, dropped }) => [name, dropped])).toEqual([
      ['sink.down', 0],
      ['sink.back', 1],
    ])
  })

  test('says once that it is full, and bounds what waits', async () => {
    const { onEvent, sent, reports } = publisher(async () => {}, { maxPending: 10 })
    for (let index = 0; index < 1_000; index++) onEvent(started(`job${index}`))
    await vi.advanceTimersByTimeAsync(10_000)
    expect(sent).toHaveLength(10)
    expect(reports).toEqual([{ name: 'sink.full', sink: 'test', dropped: 1 }])
  })

  test('is not stopped by a sink or a listener that throws or never ends', async () => {
    let calls = 0
    const sink: StatusSink = {
      name: 'test',
      send: () => {
        if (++calls === 1) throw new Error('at once')
        return new Promise(() => {})
      },
    }
    const onReport = () => {
      throw new Error('no log')
    }
    const { onEvent } = createStatusPublisher({ sink, onReport })
    onEvent(started('a'))
    await vi.advanceTimersByTimeAsync(30_000)
    expect(calls).toBeGreaterThan(2)
  })
})

describe('close', () => {
  test('sends what is left without pauses, then takes nothing more', async () => {
    const { onEvent, sent, reports, close } = publisher(async () => {})
    for (let index = 0; index < 100; index++) onEvent(completed(`job${index}`))
    await close()
    onEvent(completed('late'))
    await vi.advanceTimersByTimeAsync(1_000)
    expect(sent).toHaveLength(100)
    expect(reports).toEqual([])
  })

  test('waits a second for a sink that hangs, aborts its calls and counts what is left', async () => {
    const signals: AbortSignal[] = []
    const { onEvent, reports, close } = publisher((_, { signal }) => {
      signals.push(signal)
      return new Promise(() => {})
    })
    for (let index = 0; index < 6; index++) onEvent(completed(`job${index}`))
    const closed = close()
    await vi.advanceTimersByTimeAsync(999)
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, false, false, false])
    await vi.advanceTimersByTimeAsync(1)
    await closed
    expect(signals.every(({ aborted }) => aborted)).toBe(true)
    expect(reports).toEqual([{ name: 'sink.left', sink: 'test', dropped: 0, unsent: 6 }])
  })

  test('waits for nothing while the service is down', async () => {
    const { onEvent, reports, close } = publisher(fail('away'))
    onEvent(completed('a'))
    await vi.advanceTimersByTimeAsync(100)
    await close()
    await close()
    expect(reports.map(({ name }) => name)).toEqual(['sink.down', 'sink.left'])
  })
})
