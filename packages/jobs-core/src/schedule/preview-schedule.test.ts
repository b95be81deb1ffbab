import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { previewSchedule } from './preview-schedule.ts'
import type { Timing } from './timing.ts'

const show = (timing: Timing, from: string, count: number) =>
  previewSchedule(timing, { from: new Date(from), count }).map((tick) => tick.toISOString().slice(5, 16))
const oslo = 'Europe/Oslo'

/** Clock changes of 2026: Oslo 29 March 02:00 → 03:00 and 25 October 03:00 → 02:00; New York 8 March and 1 November; Lord Howe by half an hour. */
const changes: [string, Timing, string, string[]][] = [
  [
    'skipped: a time of day comes when the gap ends',
    { cron: '30 2 * * *', timeZone: oslo },
    '2026-03-28T12:00Z',
    ['03-29T01:00', '03-30T00:30'],
  ],
  [
    'skipped: several such times are one',
    { cron: '0,30 2,3 * * *', timeZone: oslo },
    '2026-03-28T12:00Z',
    ['03-29T01:00', '03-29T01:30', '03-30T00:00'],
  ],
  [
    'skipped: a rhythm has no tick in the gap',
    { cron: '*/30 * * * *', timeZone: oslo },
    '2026-03-29T00:30Z',
    ['03-29T00:30', '03-29T01:00', '03-29T01:30'],
  ],
  [
    'skipped: a rhythm of the skipped hour alone has none that day',
    { cron: '*/30 2 * * *', timeZone: oslo },
    '2026-03-28T12:00Z',
    ['03-30T00:00', '03-30T00:30'],
  ],
  [
    'doubled: a time of day counts the first time',
    { cron: '30 2 * * *', timeZone: oslo },
    '2026-10-24T12:00Z',
    ['10-25T00:30', '10-26T01:30'],
  ],
  ['doubled: asked between the two, it is over', { cron: '30 2 * * *', timeZone: oslo }, '2026-10-25T00:45Z', ['10-26T01:30']],
  [
    'doubled: several such times',
    { cron: '0,30 2 * * *', timeZone: oslo },
    '2026-10-24T12:00Z',
    ['10-25T00:00', '10-25T00:30', '10-26T01:00'],
  ],
  [
    'doubled: a rhythm goes on through both',
    { cron: '0 * * * *', timeZone: oslo },
    '2026-10-24T23:30Z',
    ['10-25T00:00', '10-25T01:00', '10-25T02:00'],
  ],
  [
    'an interval does not notice',
    { everySeconds: 86_400, startsAt: new Date('2026-10-24T00:30Z') },
    '2026-10-24T00:30Z',
    ['10-24T00:30', '10-25T00:30', '10-26T00:30'],
  ],
  ['New York, skipped', { cron: '30 2 * * *', timeZone: 'America/New_York' }, '2026-03-07T12:00Z', ['03-08T07:00', '03-09T06:30']],
  ['New York, doubled', { cron: '30 1 * * *', timeZone: 'America/New_York' }, '2026-10-31T12:00Z', ['11-01T05:30', '11-02T06:30']],
  [
    'Lord Howe, half an hour skipped',
    { cron: '15 2 * * *', timeZone: 'Australia/Lord_Howe' },
    '2026-10-02T20:00Z',
    ['10-03T15:30', '10-04T15:15'],
  ],
  [
    'Lord Howe, half an hour doubled',
    { cron: '45 1 * * *', timeZone: 'Australia/Lord_Howe' },
    '2026-04-03T20:00Z',
    ['04-04T14:45', '04-05T15:15'],
  ],
  [
    'Beirut, where midnight is skipped',
    { cron: '0 0 * * *', timeZone: 'Asia/Beirut' },
    '2026-03-28T00:00Z',
    ['03-28T22:00', '03-29T21:00'],
  ],
  ['UTC has none', { cron: '30 2 * * *' }, '2026-03-28T12:00Z', ['03-29T02:30', '03-30T02:30']],
]

describe('clock changes', () => {
  test.each(changes)('%s', (_name, timing, from, expected) => {
    expect(show(timing, from, expected.length)).toEqual(expected)
  })

  // Node reads TZ once, at its start.
  test.each(['UTC', 'America/New_York', 'Europe/Oslo'])('are the same where the process has the zone %s', (TZ) => {
    const script = `
      import { previewSchedule } from ${JSON.stringify(new URL('./preview-schedule.ts', import.meta.url).href)}
      const asked = JSON.parse(process.argv[1], (key, value) => (key === 'startsAt' ? new Date(value) : value))
      const ticks = asked.map(([timing, from, count]) => previewSchedule(timing, { from: new Date(from), count }))
      console.log(JSON.stringify({ zone: new Date(0).getTimezoneOffset(), ticks }))`
    const asked = JSON.stringify(changes.map(([, timing, from, { length }]) => [timing, from, length]))
    const args = ['--conditions=@sidelinja/source', '--input-type=module', '--eval', script, asked]
    const { zone, ticks } = JSON.parse(execFileSync(process.execPath, args, { env: { TZ }, encoding: 'utf8' }))
    expect(zone).toBe({ UTC: 0, 'America/New_York': 300, 'Europe/Oslo': -60 }[TZ])
    expect(ticks.map((list: string[]) => list.map((tick) => tick.slice(5, 16)))).toEqual(changes.map(([, , , expected]) => expected))
  })
})

describe('previewSchedule', () => {
  test('gives five ticks unless it is told how many; one at the very time counts', () => {
    expect(previewSchedule({ cron: '@daily' }, { from: new Date('2026-01-01T00:00Z') })).toHaveLength(5)
    expect(show({ cron: '@daily' }, '2026-01-01T00:00Z', 2)).toEqual(['01-01T00:00', '01-02T00:00'])
    expect(show({ cron: '@daily' }, '2026-01-01T00:00:00.001Z', 1)).toEqual(['01-02T00:00'])
    expect(show({ everySeconds: 90 }, '2026-01-01T00:00Z', 3)).toEqual(['01-01T00:00', '01-01T00:01', '01-01T00:03'])
  })

  test('knows names, last days and nearest weekdays', () => {
    expect(show({ cron: '0 9 * JAN MON-FRI' }, '2026-01-02T12:00Z', 2)).toEqual(['01-05T09:00', '01-06T09:00'])
    expect(show({ cron: '0 9 L * *' }, '2026-02-01T00:00Z', 2)).toEqual(['02-28T09:00', '03-31T09:00'])
    expect(show({ cron: '0 9 1 * +MON' }, '2026-05-01T00:00Z', 1)).toEqual(['06-01T09:00'])
    expect(show({ cron: '0 9 * * MON#1' }, '2026-05-01T00:00Z', 1)).toEqual(['05-04T09:00'])
  })

  test.each([
    ['too long', `${'0,'.repeat(50)}0 * * * *`],
    ['a list that would fill the memory', `1-${'9'.repeat(60)} * * * *`],
    ['too few fields', '0 3 * *'],
    ['seconds', '0 0 3 * * *'],
    ['a date, which croner would take', '2026-12-24T18:00:00'],
    ['steps of nothing', '*/0 * * * *'],
    ['a minute that is none', '60 * * * *'],
    ['words', 'every day at noon please'],
    ['another sort of digits', '١ * * * *'],
    ['a name that says nothing about a time', '@reboot'],
    ['nothing', ''],
    ['no text', 5],
    ['lines', '0 3 * * *\n0 4 * * *'],
  ])('refuses a cron text: %s', (_name, cron) => {
    expect(() => previewSchedule({ cron } as Timing, { from: new Date() })).toThrow(
      expect.objectContaining({ code: 'CRON_INVALID', kind: 'permanent' }),
    )
  })

  test.each(['0 0 30 2 *', '0 0 31 4,6,9,11 *'])('refuses %s, which never comes, and soon', (cron) => {
    expect(() => previewSchedule({ cron }, { from: new Date() })).toThrow(expect.objectContaining({ code: 'CRON_NEVER' }))
  })

  test.each([
    ['both', { cron: '* * * * *', everySeconds: 5 }, 'SCHEDULE_INVALID', /got both/],
    ['neither', {}, 'SCHEDULE_INVALID', /got neither/],
    ['half a second', { everySeconds: 0.5 }, 'SCHEDULE_INVALID', /everySeconds must be a whole number from 1 to 31622400/],
    ['nothing', { everySeconds: 0 }, 'SCHEDULE_INVALID', /got 0/],
    ['two years', { everySeconds: 63_000_000 }, 'SCHEDULE_INVALID', /366 days/],
    ['an unknown zone', { cron: '@daily', timeZone: 'Europe/Reykjavik' }, 'TIME_ZONE_UNKNOWN', /got "Europe\/Reykjavik"/],
    ['an offset', { cron: '@daily', timeZone: '+01:00' }, 'TIME_ZONE_UNKNOWN', /Europe\/Oslo/],
    ['no start', { everySeconds: 5, startsAt: new Date('never') }, 'SCHEDULE_INVALID', /got "?an invalid Date/],
    ['a start as text', { everySeconds: 5, startsAt: '2026-01-01' }, 'SCHEDULE_INVALID', /startsAt/],
  ])('refuses a timing: %s', (_name, timing, code, message) => {
    expect(() => previewSchedule(timing as Timing, { from: new Date() })).toThrow(
      expect.objectContaining({ code, message: expect.stringMatching(message) }),
    )
  })

  test('refuses other questions', () => {
    const preview = (options: object) => () => previewSchedule({ cron: '@daily' }, options as never)
    expect(preview({ from: new Date('never') })).toThrow(/from must be a valid Date/)
    expect(preview({})).toThrow(/from must be/)
    expect(preview({ from: new Date(), count: 101 })).toThrow(/count must be a whole number from 1 to 100, got 101/)
  })
})
