import type { Prefs } from '../../page/wire/page-data.ts'

/** What a SvelteKit event has for cookies. */
export interface PageCookies {
  get(name: string): string | undefined
  set(name: string, value: string, options: { path: string; httpOnly: boolean; sameSite: 'lax'; secure: boolean; maxAge: number }): void
}

const cookieName = 'sidelinja-jobs'
/** Written by the page itself: only the browser knows. */
const zoneCookie = 'sidelinja-jobs-tz'
const maxColumns = 40

/** What is remembered of a reader. Anything odd is as if it had never been said. */
export function readPrefs(cookies: Pick<PageCookies, 'get'>): Prefs {
  const stored = new URLSearchParams(cookies.get(cookieName) ?? '')
  return fromParams((name) => stored.get(name), zoneOf(cookies.get(zoneCookie)))
}

/** The language in which somebody reads the page, for the host's `<html lang>`. */
export function pageLang(cookies: Pick<PageCookies, 'get'>): Prefs['lang'] {
  return readPrefs(cookies).lang
}

/** The preferences that a query asks for (`set_lang`, `set_theme`, `set_columns`, `set_keys`); undefined: none. */
export function askedPrefs(query: URLSearchParams, prefs: Prefs): Prefs | undefined {
  const asked = (name: string) => query.get(`set_${name}`)
  if (![...query.keys()].some((name) => name.startsWith('set_'))) return undefined
  const columns = query.has('set_columns') ? query.getAll('set_columns').join('.') : prefs.columns.join('.')
  const known = { lang: prefs.lang, theme: prefs.theme, keys: prefs.keys ? 'on' : 'off' } as Record<string, string>
  return fromParams((name) => (name === 'columns' ? columns : (asked(name) ?? known[name] ?? null)), prefs.timeZone)
}

/** Remembers them for a year, below the page only. */
export function rememberPrefs(cookies: PageCookies, prefs: Prefs, { path, secure }: { path: string; secure: boolean }): void {
  const { lang, theme, columns, keys } = prefs
  const value = new URLSearchParams({ lang, theme, keys: keys ? 'on' : 'off', columns: columns.join('.') }).toString()
  cookies.set(cookieName, value, { path, httpOnly: true, sameSite: 'lax', secure, maxAge: 31_536_000 })
}

function fromParams(read: (name: string) => string | null, timeZone: string): Prefs {
  const columns = (read('columns') ?? '').split('.').filter((name) => /^[a-z_]{1,40}$/.test(name))
  return {
    lang: oneOf(['nb', 'nn', 'en'], read('lang')),
    theme: oneOf(['auto', 'light', 'dark'], read('theme')),
    columns: [...new Set(columns)].slice(0, maxColumns),
    keys: read('keys') !== 'off',
    timeZone,
  }
}

function oneOf<const Value extends string>([first, ...others]: readonly [Value, ...Value[]], value: string | null): Value {
  return others.find((other) => other === value) ?? first
}

function zoneOf(text: string | undefined): string {
  const standard = 'Europe/Oslo'
  if (text === undefined || !/^[\w+/-]{1,60}$/.test(text)) return standard
  try {
    return new Intl.DateTimeFormat('nb', { timeZone: text }).resolvedOptions().timeZone
  } catch {
    return standard
  }
}
