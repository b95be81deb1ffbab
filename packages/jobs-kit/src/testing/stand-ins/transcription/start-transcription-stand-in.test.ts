import { openAsBlob } from 'node:fs'
import { access, readFile, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import type { Recognition, Recognizer } from './recognizer.ts'
import { recordedRecognizer } from './recognizers/recorded.ts'
import { startTranscriptionStandIn, type TranscriptionStandIn } from './start-transcription-stand-in.ts'
import type { VerboseTranscription } from './transcription.ts'

const fixtures = new URL('../../../../test/fixtures/asr/', import.meta.url)
const recorded: VerboseTranscription = JSON.parse(await readFile(new URL('ep.verbose.json', fixtures), 'utf8'))

describe('transcription stand-in', () => {
  test('a recorded reply, which it calls by its name', async () => {
    await using standIn = await startTranscriptionStandIn({ recognizer: recordedRecognizer(recorded) })
    expect(standIn.describe()).toMatch(/^a stand-in for speaches: a recorded reply, .* nothing listens/)
    const { body } = await upload(standIn, await openAsBlob(new URL('ep.mp3', fixtures)))
    expect(body.segments).toHaveLength(6)
    expect((await upload(standIn, new Blob([]))).status).toBe(400)
    expect((await upload(standIn, new Blob(['This is no audio.\n']))).status).toBe(415)
  })

  test('what was uploaded is on disk until the answer, and gone afterwards', async () => {
    const { recognizer, started } = manual()
    const standIn = await startTranscriptionStandIn({ recognizer })
    const waiting = upload(standIn, new Blob([Buffer.alloc(10_000_000, 'lyd')]))
    const recognition = await started(1)
    const { path = '', sizeBytes } = (await standIn.received(1)).form?.files.get('file') ?? {}
    expect([sizeBytes, (await stat(path)).size]).toEqual([10_000_000, 10_000_000])
    recognition.finish()
    await waiting
    await standIn.close()
    await expect(access(dirname(path))).rejects.toThrow('ENOENT')
  })

  test('one file is listened to at a time', async () => {
    const { recognizer, started, begun } = manual()
    await using standIn = await startTranscriptionStandIn({ recognizer })
    const first = upload(standIn, new Blob(['1']))
    const second = upload(standIn, new Blob(['2']))
    const one = await started(1)
    await vi.waitFor(() => expect(standIn.requests[1]?.form).toBeDefined())
    await fetch(`${standIn.url}/health`)
    expect(begun()).toBe(1)
    one.finish()
    const two = await started(2)
    expect(one.signal.aborted).toBe(false)
    two.finish()
    expect([(await first).status, (await second).status]).toEqual([200, 200])
  })

  test('speaches goes on listening when the client has left, whisper.cpp does not', async () => {
    for (const [dialect, path, stops] of [
      ['speaches', '/v1/audio/transcriptions', false] as const,
      ['whisper.cpp', '/inference', true] as const,
    ]) {
      const { recognizer, started } = manual()
      await using standIn = await startTranscriptionStandIn({ dialect, recognizer })
      const leave = new AbortController()
      const waiting = upload(standIn, new Blob(['1']), { path, signal: leave.signal }).catch((error: unknown) => error)
      const recognition = await started(1)
      leave.abort()
      await waiting
      if (stops) await recognition.aborted
      else await upload(standIn, new Blob(['']), { path: '/v1/audio/nothing' })
      expect(recognition.signal.aborted).toBe(stops)
      recognition.finish()
    }
  })

  test('threads reach who listens', async () => {
    const { recognizer, started } = manual()
    await using standIn = await startTranscriptionStandIn({ recognizer })
    const waiting = upload(standIn, new Blob(['1']), { fields: { threads: '2' } })
    const recognition = await started(1)
    expect(recognition.threads).toBe(2)
    recognition.finish()
    await waiting
  })

  test('closing ends who listens', async () => {
    const { recognizer, started } = manual()
    const standIn = await startTranscriptionStandIn({ recognizer })
    const waiting = upload(standIn, new Blob(['1'])).catch((error: unknown) => error)
    const recognition = await started(1)
    const closed = standIn.close()
    await recognition.aborted
    await closed
    expect(await waiting).toBeInstanceOf(Error)
  })
})

interface Started {
  threads: number | undefined
  signal: AbortSignal
  aborted: Promise<void>
  finish(): void
}

/** A recogniser that the test finishes by hand. */
function manual(): { recognizer: Recognizer; started(number: number): Promise<Started>; begun(): number } {
  const all: Started[] = []
  const waiting: (() => void)[] = []
  const recognizer: Recognizer = {
    describe: () => 'by hand',
    recognize: (_audio, { threads, signal }) => {
      const { promise, resolve, reject } = Promise.withResolvers<Recognition>()
      const aborted = new Promise<void>((settle) => signal.addEventListener('abort', () => settle()))
      signal.addEventListener('abort', () => reject(signal.reason))
      all.push({ threads, signal, aborted, finish: () => resolve({ outcome: 'recognised', transcription: recorded }) })
      for (const wake of waiting.splice(0)) wake()
      return promise
    },
  }
  const started = async (number: number): Promise<Started> => {
    for (;;) {
      const found = all[number - 1]
      if (found) return found
      await new Promise<void>((resolve) => waiting.push(resolve))
    }
  }
  return { recognizer, started, begun: () => all.length }
}

async function upload(
  { url }: TranscriptionStandIn,
  file: Blob,
  { path = '/v1/audio/transcriptions', fields = {}, signal }: { path?: string; fields?: Record<string, string>; signal?: AbortSignal } = {},
) {
  const body = new FormData()
  for (const [name, value] of Object.entries({
    model: 'whisper-1',
    response_format: 'verbose_json',
    without_timestamps: 'false',
    ...fields,
  })) {
    body.append(name, value)
  }
  body.append('file', file, 'ep.mp3')
  const response = await fetch(url + path, { method: 'POST', body, ...(signal && { signal }) })
  const text = await response.text()
  return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : text }
}
