import type { ResultPart } from '@sidelinja/jobs-core/admin'
import { describe, expect, test } from 'vitest'
import type { ResultPart as ShownPart } from '../../page/wire/result-body.ts'
import { most } from './budget.ts'
import { presentParts } from './present-parts.ts'

const title = { nb: 'Tittel', nn: 'Tittel', en: 'Title' }
const present = (...parts: ResultPart[]) => presentParts(parts)
const only = (part: ResultPart): ShownPart => presentParts([part]).parts[0] as ShownPart

describe('parts as a page gets them', () => {
  test('have every field, in snake_case', () => {
    expect(only({ kind: 'note', tone: 'warn', text: 'Se her' })).toEqual({ kind: 'note', tone: 'warn', text: 'Se her' })
    expect(only({ kind: 'text', title, text: 'Tekst', language: 'nb' })).toEqual({ kind: 'text', title, text: 'Tekst', language: 'nb' })
    expect(only({ kind: 'list', items: [{ text: 'a', startMs: 5, quotes: [{ text: 'q', who: 'Kari' }] }] })).toEqual({
      ...{ kind: 'list', title: null, more: false },
      items: [{ text: 'a', start_ms: 5, who: null, mark: null, note: null, quotes: [{ text: 'q', start_ms: null, who: 'Kari' }] }],
    })
    expect(
      only({ kind: 'transcript', language: 'nb', segments: [{ startMs: 1, endMs: 2, text: 'a', doubts: [title] }], more: true }),
    ).toEqual({
      ...{ kind: 'transcript', title: null, language: 'nb', more: true },
      segments: [{ start_ms: 1, end_ms: 2, speaker: null, text: 'a', doubts: [title] }],
    })
  })

  test('say values as what they are', () => {
    const values = ['a', title, 7, { durationMs: 1_500.4 }, { time: new Date(0) }, null, Number.NaN] as const
    const facts = only({ kind: 'facts', rows: values.map((value) => ({ label: 'x', value })) })
    expect(facts.kind === 'facts' && facts.rows.map(({ value }) => value)).toEqual([
      ...['a', title, 7, { duration_ms: 1_500 }, { time: '1970-01-01T00:00:00.000Z' }, null, null],
    ])
  })

  test('rows have as many cells as there are columns', () => {
    expect(only({ kind: 'table', columns: ['a', 'b'], rows: [[1], [1, 2, 3]] })).toMatchObject({
      rows: [
        [1, null],
        [1, 2],
      ],
    })
  })

  test('hold no number that a drawing cannot take, and no language that is none', () => {
    expect(only({ kind: 'waveform', durationMs: -5, peaks: [-999, 999, Number.NaN, 1.4] })).toEqual({
      ...{ kind: 'waveform', title: null, duration_ms: 0, peaks: [-128, 127, 0, 1] },
    })
    expect(only({ kind: 'text', text: 'a', language: '"><script>' })).toMatchObject({ language: null })
  })

  test('hold nothing else that a view has put there', () => {
    const odd = { kind: 'note', tone: 'loud', text: 'a', html: '<b>' } as unknown as ResultPart
    expect(only(odd)).toEqual({ kind: 'note', tone: 'neutral', text: 'a' })
  })

  test.each([[{ kind: 'html', text: 'a' }], [{ kind: 'list' }], [{ kind: 'text', text: 5 }], [null]])('%o is no part', (part) => {
    expect(() => present(part as never)).toThrow(TypeError)
  })
})

describe('parts are bounded', () => {
  const words = 'ord '.repeat(10)

  test('in number, and they say so', () => {
    const segments = Array.from({ length: 1_001 }, (_, n) => ({ startMs: n, endMs: n, text: 'a' }))
    const { parts, cut } = present({ kind: 'transcript', segments })
    expect([parts[0]?.kind === 'transcript' && parts[0].segments.length, parts[0], cut]).toMatchObject([1_000, { more: true }, true])
    expect(present(...Array.from({ length: 41 }, (): ResultPart => ({ kind: 'note', tone: 'neutral', text: 'a' }))).parts).toHaveLength(40)
    const peaks = Array.from({ length: 5_000 }, () => 1)
    expect(only({ kind: 'waveform', durationMs: 1, peaks })).toMatchObject({ peaks: { length: most.peaks } })
  })

  test('in characters, each text and all together', () => {
    const long = present({ kind: 'text', text: words.repeat(1_000) })
    expect([long.parts[0]?.kind === 'text' && long.parts[0].text.length <= most.text + 2, long.cut]).toEqual([true, true])
    const items = Array.from({ length: 1_000 }, () => ({ text: words.repeat(50) }))
    const { parts, cut } = present({ kind: 'list', items }, { kind: 'text', text: 'never reached' })
    expect([JSON.stringify(parts).length < 1.5 * most.all, parts.length, cut]).toEqual([true, 1, true])
  })

  test('what fits is not cut', () => {
    expect(present({ kind: 'text', text: words })).toMatchObject({ cut: false, masked: 0 })
  })
})
