import { describe, expect, test } from 'vitest'
import { fromLocalTime } from './local-time.ts'
import { endpointQuery } from './page-query.ts'
import { askedPrefs, readPrefs, rememberPrefs } from './prefs.ts'
import { matchScreen } from './screens.ts'

const id = '01a2306a-0000-7000-8000-000000000001'

describe('screens', () => {
  test.each([
    ['', 'jobs'],
    ['overview', 'overview'],
    ['errors', 'errors'],
    ['schedules', 'schedules'],
    ['workers', 'workers'],
    ['audit', 'audit'],
    ['pauses', 'pauses'],
    [id, 'job'],
    [`${id}/raw`, 'job'],
    [`bulk/${id}`, 'bulk'],
    ['bulk', 'missing'],
    [`${id}/explain`, 'missing'],
    [`${id}/result`, 'missing'],
    ['constructor', 'missing'],
    ['__proto__', 'missing'],
    [`${id}/raw/more`, 'missing'],
    ['7', 'missing'],
  ])('%s is %s', (path, name) => {
    expect(matchScreen(path).name).toBe(name)
  })

  test('the unmasked view looks before it shows the log of it', () => {
    expect(
      matchScreen(`${id}/raw`)
        .sources.map(({ name }) => name)
        .slice(0, 2),
    ).toEqual(['raw', 'job'])
  })
})

describe('the page’s query, for its endpoint', () => {
  const now = Date.parse('2026-12-01T08:00:30.500Z')
  const convert = (text: string) => endpointQuery(new URLSearchParams(text), { now, timeZone: 'Europe/Oslo' }).toString()

  test('leaves out what counts who followed a link, and nothing that only looks like it', () => {
    expect(convert('status=error&utm_source=mail&utm_campaign=x&fbclid=1&gclid=2')).toBe('status=error')
    expect(convert('utm=1&my_utm_source=2')).toBe('utm=1&my_utm_source=2')
  })

  test('loses what is empty and what only the page knows, and keeps what nobody knows', () => {
    expect(convert('status=error&type=&confirm=retry&set_lang=nn&/preview=&stauts=x')).toBe('status=error&stauts=x')
  })

  test('has a span as a moment, the same for a minute', () => {
    expect(convert('since=24h')).toBe('created_from=2026-11-30T08%3A00%3A00.000Z')
    expect(convert('since=ever')).toBe('')
  })

  test('has local times as moments', () => {
    expect(convert('created_from=2026-06-01T12:00')).toBe('created_from=2026-06-01T10%3A00%3A00.000Z')
  })

  test.each([
    ['2026-01-31T12:00', '2026-01-31T11:00:00.000Z'],
    ['2026-07-31', '2026-07-30T22:00:00.000Z'],
    ['2026-03-29T02:30', '2026-03-29T01:30:00.000Z'],
    ['2026-10-25T02:30', /^2026-10-25T0[01]:30:00\.000Z$/],
    ['2026-01-31T12:00:00Z', '2026-01-31T12:00:00Z'],
    ['soon', 'soon'],
  ])('%s in Oslo', (text, moment) => {
    expect(fromLocalTime(text, 'Europe/Oslo')).toMatch(moment)
  })
})

describe('what is remembered of a reader', () => {
  const jar = (values: Record<string, string> = {}) => ({
    get: (name: string) => values[name],
    set: (name: string, value: string) => {
      values[name] = value
    },
  })
  const first = { lang: 'nb', theme: 'auto', columns: [], keys: true, timeZone: 'Europe/Oslo' }

  test('is nothing at first, and nothing where a cookie is odd', () => {
    expect(readPrefs(jar())).toEqual(first)
    const odd = { 'sidelinja-jobs': 'lang=xx&theme=<b>&columns=a.<script>.b&keys=maybe', 'sidelinja-jobs-tz': 'Mars/Base' }
    expect(readPrefs(jar(odd))).toEqual({ ...first, columns: ['a', 'b'] })
  })

  test('is asked for by the address, and comes back', () => {
    const prefs = askedPrefs(
      new URLSearchParams('set_lang=nn&set_theme=dark&set_columns=id&set_columns=status&set_keys=off'),
      readPrefs(jar()),
    )
    expect(prefs).toEqual({ ...first, lang: 'nn', theme: 'dark', columns: ['id', 'status'], keys: false })
    const cookies = jar({ 'sidelinja-jobs-tz': 'America/Lima' })
    if (prefs) rememberPrefs(cookies, prefs, { path: '/admin/jobs', secure: true })
    expect(readPrefs(cookies)).toEqual({ ...prefs, timeZone: 'America/Lima' })
    expect(askedPrefs(new URLSearchParams('status=error'), readPrefs(cookies))).toBeUndefined()
  })
})
