import { readdir } from 'node:fs/promises'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import type { Result } from '../src/job.ts'
import { fixtures, setup } from './support.ts'

let t: Awaited<ReturnType<typeof setup>>
beforeAll(async () => {
  t = await setup(inject('server'))
})
afterAll(() => t.drop())

/** Start, end, text; then why it is suspect. */
type Row = [startMs: number, endMs: number, text: string, suspect?: string]

interface Outcome {
  rows: Row[]
  /** What the result says besides an ordinary SRT file in UTF-8 of which nothing was changed. */
  result?: Partial<Result>
  /** What it says of the first row, where that was mended. */
  raw?: object | null
}

const second = (start: number, text: string, suspect?: string): Row =>
  [start * 1000, start * 1000 + 1000, text, ...(suspect ? [suspect] : [])] as Row
const hei = second(0, 'Hei')

const outcomes: Record<string, Outcome> = {
  // The blank before each text goes.
  '01-speaches.srt': {
    rows: [
      [0, 4480, 'Velkommen til Sidelinja.'],
      [4480, 9879, 'I dag snakker vi om kommunevalget på Østlandet.'],
    ],
  },
  // The second cue takes no time and says nothing.
  '02-whispercpp.srt': {
    rows: [
      [0, 4480, 'Velkommen til Sidelinja.'],
      [4480, 9880, 'I dag.'],
    ],
    result: { empty: 1 },
  },
  '03-bom-crlf.srt': { rows: [hei, second(1, 'På deg\nlinje to')] },
  '04-missing-index.srt': { rows: [hei, second(1, 'På deg')] },
  '05-period-ms.srt': {
    rows: [
      [0, 1500, 'Hei'],
      [1500, 2000, 'Der'],
    ],
  },
  '06-over-24h.srt': { rows: [second(90_000, 'Etter et døgn'), second(360_000, 'Hundre timer')] },
  // In order, each until the next one begins.
  '07-overlap.srt': {
    rows: [
      [0, 2000, 'A', 'overlap'],
      [2000, 3000, 'C', 'overlap unordered'],
      [3000, 4000, 'B'],
    ],
    result: { mended: 2, suspect: { overlap: 2, unordered: 1 } },
    raw: { startMs: 0, endMs: 5000, text: 'A' },
  },
  '08-zero-negative.srt': {
    rows: [
      [1000, 1000, 'null lang', 'zero_length'],
      [3000, 5000, 'baklengs', 'backward'],
    ],
    result: { mended: 1, suspect: { zero_length: 1, backward: 1 } },
  },
  // Kept, all of them: whether a loop was meant only people can tell.
  '09-repeat.srt': {
    rows: Array.from({ length: 12 }, (_, n): Row => [n * 30_000, (n + 1) * 30_000, 'Takk for at du så på.', 'repeated']),
    result: { suspect: { repeated: 12 } },
  },
  '10-arrow-in-text.srt': { rows: [second(0, 'fra A --> B'), second(1, 'ok')] },
  '11-numeric-text.srt': { rows: [second(0, '42'), second(1, 'Tallet er\n1814'), second(2, 'slutt')] },
  '12-blank-in-text.srt': { rows: [second(0, 'første linje\nandre linje'), second(1, 'ok')] },
  '13-empty-text.srt': { rows: [second(1, 'ok')], result: { empty: 1 } },
  '14-no-trailing-newline.srt': { rows: [hei] },
  '15-cr-only.srt': { rows: [hei, second(1, 'Der')] },
  // 1,5 is one and a half seconds, as everybody but some programs reads it; hence it says so, and the line is kept.
  '16-short-forms.srt': {
    rows: [second(0, 'kort', 'odd_time overlap'), second(1, 'uten timer')],
    result: { mended: 1, suspect: { odd_time: 1, overlap: 1 } },
    raw: { startMs: 0, endMs: 1500, text: 'kort', timing: '0:0:0,0 --> 0:0:1,5' },
  },
  // Places on the screen are no part of a transcript; the line that has them is kept.
  '17-no-space-arrow.srt': { rows: [hei, second(1, 'Der')], result: { mended: 1 } },
  '18-html-tags.srt': {
    rows: [second(0, 'Hei du & alert(1)')],
    result: { mended: 1 },
    raw: { text: '<i>Hei</i> {\\an8}<b>du</b> & <script>alert(1)</script>' },
  },
  '19-latin1.srt': { rows: [second(0, 'Kjære blå øy')], result: { encoding: 'windows-1252' } },
  '20-utf16le-bom.srt': { rows: [second(0, 'Kjære')], result: { encoding: 'utf-16le' } },
  '21-empty.srt': { rows: [] },
  '22-only-whitespace.srt': { rows: [] },
  // The second cue's times broke off; it had no text.
  '25-truncated.srt': { rows: [hei], result: { notes: ['cut_off'] } },
  '26-vtt-as-srt.srt': {
    rows: [hei],
    result: { format: 'vtt', mended: 1 },
    raw: { timing: '00:00.000 --> 00:01.000 align:start', text: '<v Eva>Hei' },
  },
  // Neither NUL nor the sign that turns the reading direction round.
  '27-nul-and-rtl.srt': {
    rows: [second(0, 'Heider abc', 'odd_characters')],
    result: { mended: 1, suspect: { odd_characters: 1 } },
    raw: { startMs: 0, endMs: 1000, text: 'Hei\ufffdder \u202eabc' },
  },
  '28-ms-rounding.srt': {
    rows: [
      [1899, 60_000, 'millisekund 1000', 'odd_time'],
      [60_000, 121_000, 'sekund 60', 'odd_time'],
    ],
    result: { mended: 2, suspect: { odd_time: 2 } },
    raw: { timing: '00:00:01,899 --> 00:00:59,1000' },
  },
  '29-duplicate-index.srt': { rows: [second(0, 'A'), second(1, 'B'), second(2, 'C')] },
  '30-unordered.srt': { rows: [second(1, 'A', 'unordered'), second(5, 'B')], result: { suspect: { unordered: 1 } } },
  // Their lines were one cue: they share its time.
  '31-whisperx-same-time.srt': {
    rows: [
      [62_962, 68_010, 'linje 1', 'overlap'],
      [68_010, 73_057, 'linje 2', 'overlap'],
      [73_057, 78_105, 'linje 3', 'overlap'],
      [78_105, 83_152, 'linje 4', 'overlap'],
    ],
    result: { mended: 4, suspect: { overlap: 4 } },
    raw: { startMs: 62_962, endMs: 83_152, text: 'linje 1' },
  },
  '32-many-blank-lines.srt': { rows: [hei, second(1, 'Der')] },
  'a29-bom-crlf.srt': {
    rows: [
      [0, 2500, 'Hei og velkommen til Bråkmakergata.'],
      [2500, 5000, 'I dag: rødgrøt,\nog litt ål.'],
      [5000, 7000, 'Siste replikk uten linjeskift'],
    ],
    result: { mended: 1 },
  },
  'a29-whitespace.srt': { rows: [second(1, 'innrykk beholdes ikke nødvendigvis'), second(2, 'andre')] },
}

const refused: Record<string, string> = {
  '23-html-error-page.srt': 'a page of HTML',
  '24-json-instead.srt': 'JSON',
}

test('every sample has its outcome', async () => {
  expect([...Object.keys(outcomes), ...Object.keys(refused)].toSorted()).toEqual((await readdir(fixtures)).toSorted())
})

test.each(Object.entries(outcomes))('%s', async (path, { rows, result = {}, raw = null }) => {
  const mediaNodeId = await t.insert()
  expect(await t.run({ mediaNodeId, path })).toEqual({
    ...{ source: 'file', format: 'srt', encoding: 'utf-8', segments: rows.length, empty: 0, mended: 0, suspect: {}, notes: [] },
    ...result,
    files: { srt: expect.any(Number), vtt: expect.any(Number), txt: expect.any(Number), json: expect.any(Number) },
  })
  const segments = await t.segments(mediaNodeId)
  expect(segments.map(({ startMs, endMs, text, suspect }) => [startMs, endMs, text, suspect.join(' ')])).toEqual(
    rows.map(([startMs, endMs, text, suspect = '']) => [startMs, endMs, text, suspect]),
  )
  expect(segments[0]?.raw ?? null).toEqual(raw)
  expect(segments.map(({ speaker }) => speaker)).toEqual(rows.map(() => (path.startsWith('26') ? 'Eva' : null)))
})

test.each(Object.entries(refused))(
  '%s is no subtitles, however often it is tried, and the transcript of before stays',
  async (path, words) => {
    const mediaNodeId = await t.insert()
    await t.run({ mediaNodeId, path: '14-no-trailing-newline.srt' })
    const failing = t.run({ mediaNodeId, path })
    await expect(failing).rejects.toMatchObject({ code: 'SUBTITLES_INVALID', kind: 'permanent', message: expect.stringContaining(words) })
    expect(await t.segments(mediaNodeId)).toHaveLength(1)
  },
)
