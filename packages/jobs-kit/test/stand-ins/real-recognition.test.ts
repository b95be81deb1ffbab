import { openAsBlob } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { startTranscriptionStandIn, type TranscriptionStandIn } from '../../src/testing/index.ts'

const fixtures = new URL('../fixtures/asr/', import.meta.url)
const canListen = inject('pocketsphinx') && inject('ffmpeg')
if (!canListen) console.log('not run: 2 tests, needs pocketsphinx and ffmpeg')

describe.skipIf(!canListen)('transcription stand-in with pocketsphinx', () => {
  let standIn: TranscriptionStandIn
  beforeAll(async () => {
    standIn = await startTranscriptionStandIn()
  })
  afterAll(() => standIn.close())

  test('listens: most words of the sample are right', async () => {
    expect(standIn.describe()).toMatch(/real recognition of English by pocketsphinx/)
    const { text, segments, duration, words } = JSON.parse(
      (await upload('ep.mp3', { response_format: 'verbose_json', 'timestamp_granularities[]': 'word' })).text,
    )
    const script = await readFile(new URL('script.txt', fixtures), 'utf8')
    expect(wordErrorRate(script, text)).toBeLessThan(0.2)
    expect(duration).toBeCloseTo(33.485)
    expect(segments.length).toBeGreaterThan(3)
    expect(segments.every(({ start, end }: { start: number; end: number }) => 0 <= start && start < end && end <= duration)).toBe(true)
    expect(words.length).toBeGreaterThan(80)
  }, 120_000)

  test('tells silence, emptiness and text apart', async () => {
    const wav = (seconds: number) => new Blob([wavHeader(seconds), Buffer.alloc(seconds * 32_000)])
    expect(await upload(wav(1))).toEqual({ status: 200, text: '' })
    expect(await upload(wav(31))).toEqual({ status: 500, text: 'Internal Server Error' })
    expect(await upload(wav(0))).toMatchObject({ status: 400, text: expect.stringContaining('likely empty') })
    expect(await upload(new Blob([]))).toMatchObject({ status: 400 })
    expect(await upload(new Blob(['This is no audio.\n']))).toMatchObject({ status: 415 })
  }, 120_000)

  async function upload(file: string | Blob, fields: Record<string, string> = { response_format: 'srt' }) {
    const body = new FormData()
    for (const [name, value] of Object.entries({ model: 'whisper-1', without_timestamps: 'false', ...fields })) body.append(name, value)
    body.append('file', typeof file === 'string' ? await openAsBlob(new URL(file, fixtures)) : file, 'ep.mp3')
    const response = await fetch(`${standIn.url}/v1/audio/transcriptions`, { method: 'POST', body })
    return { status: response.status, text: await response.text() }
  }
})

/** Wrong, missing and superfluous words, as a share of the reference's. */
function wordErrorRate(reference: string, heard: string): number {
  const words = (text: string) =>
    text
      .toLowerCase()
      .replaceAll('a lot', 'alot')
      .match(/[a-z']+/g) ?? []
  const expected = words(reference)
  const given = words(heard)
  let row = given.map((_, index) => index + 1)
  let left = 0
  for (const [index, word] of expected.entries()) {
    let diagonal = index
    left = index + 1
    row = row.map((above, column) => {
      const cost = diagonal + (word === given[column] ? 0 : 1)
      diagonal = above
      left = Math.min(cost, above + 1, left + 1)
      return left
    })
  }
  return left / expected.length
}

/** 16 kHz, mono, 16 bit. */
function wavHeader(seconds: number): Buffer {
  const header = Buffer.alloc(44)
  const dataBytes = seconds * 32_000
  header.write('RIFF', 0)
  header.writeUInt32LE(36 + dataBytes, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(16_000, 24)
  header.writeUInt32LE(32_000, 28)
  header.writeUInt16LE(2, 32)
  header.writeUInt16LE(16, 34)
  header.write('data', 36)
  header.writeUInt32LE(dataBytes, 40)
  return header
}
