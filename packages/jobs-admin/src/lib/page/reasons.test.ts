import { describe, expect, test } from 'vitest'
import { formatAge, formatDuration } from './format/duration.ts'
import { formatMoment, formatNumber } from './format/time.ts'
import { type Lang, translate } from './messages/index.ts'
import { reasonText } from './reasons.ts'
import { later } from './test-rows.ts'

const now = Date.parse(later(60))
const words = (lang: Lang): Parameters<typeof reasonText>[1] => ({
  t: (key, values) => translate(lang, key, values),
  duration: (ms) => formatDuration(ms, lang),
  age: (ms) => formatAge(ms, lang),
  moment: (at) => formatMoment(at, now, { lang, timeZone: 'UTC' }),
  number: (value) => formatNumber(value, lang),
  live: { now },
})
const say = (code: string, facts: Parameters<typeof reasonText>[0]['facts'] = {}, lang: Lang = 'nb') =>
  reasonText({ code, facts, sentence: 'English.' }, words(lang))

describe('reasons', () => {
  test('are told in the reader’s language, with their facts', () => {
    expect(say('SCHEDULED', { dueAt: later(180), dueInMs: 120_000 })).toBe('Den skal kjøre 08:03:00, om 2 min.')
    expect(say('WAITS_FOR_RETRY', { dueAt: later(90), attempts: 1, maxAttempts: 3, error: 'Nei.' })).toBe(
      'Forsøk 1 av 3 feilet. Neste forsøk er 08:01:30, om 30 s. Feilen var: Nei.',
    )
    expect(say('NO_WORKER', { type: 'srt_parse' }, 'en')).toBe('No worker can run the type srt_parse. Start one that has it.')
    expect(say('WORKERS_BUSY', { workers: 1, slots: 3 })).toBe('Workeren som kan kjøre den, er opptatt på alle sine 3 plasser.')
    expect(say('WORKERS_BUSY', { workers: 2, slots: 6 }, 'nn')).toBe('Alle 2 workerane som kan køyre han, er opptekne på sine 6 plassar.')
    expect(say('JOBS_AHEAD', { jobs: 1_000, more: true })).toBe('Mer enn 1\u00a0000 jobber står foran den i køen.')
  })

  test('know what is paused, by whom and why', () => {
    const facts = { type: null, collectionNodeId: 'c', by: 'kari', reason: 'ferie', since: later(0) }
    expect(say('PAUSED', facts)).toBe('Samlingen er satt på pause siden 08:00:00. Av kari. Grunn: ferie')
    expect(say('PAUSED', { ...facts, type: 't' })).toContain('i denne samlingen')
    expect(say('PAUSED', { ...facts, type: 't', collectionNodeId: null })).toContain('overalt')
  })

  test('of codes that are not known stay as they are', () => {
    expect(say('MOON_PHASE')).toBeUndefined()
  })

  test('show what somebody else wrote as what it is', () => {
    expect(say('PAUSED', { type: null, collectionNodeId: 'c', by: 'x\u202ey', reason: null, since: later(0) })).toContain('x⟨U+202E⟩y')
  })

  test('leave no brace open in any language', () => {
    const codes =
      'COMPLETED FAILED CANCELLED RUNNING CLAIMED_AHEAD RUNNER_LOST CANCEL_REQUESTED SNOOZED NEXT_POLL WORKERS_LOST WORKERS_DRAINING SERVICE_DOWN'
    const facts = {
      ...{ at: later(1), attempts: 1, maxAttempts: 3, since: later(1), type: 't', workers: 2, slots: 2, jobs: 2 },
      ...{ dueAt: later(90), lastHeartbeatAt: later(2), service: 's', probeAt: later(9) },
    }
    for (const lang of ['nb', 'nn', 'en'] as const) for (const code of codes.split(' ')) expect(say(code, facts, lang)).toMatch(/^[^{}]+$/)
  })
})
