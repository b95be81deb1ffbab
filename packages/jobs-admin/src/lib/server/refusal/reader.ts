import type { Prefs } from '../../page/wire/page-data.ts'
import { readPrefs } from '../page/prefs.ts'

/** How somebody reads who gets no page: as they have chosen on the page, or else the language that their browser asks for. */
export function readerOf(headers: Headers): Pick<Prefs, 'lang' | 'theme'> {
  const cookies = new Map((headers.get('cookie') ?? '').split(';').map(cookieOf))
  const { lang, theme } = readPrefs({ get: (name) => cookies.get(name) })
  return { theme, lang: cookies.has('sidelinja-jobs') ? lang : preferredLang(headers.get('accept-language')) }
}

function cookieOf(text: string): [string, string] {
  const [name = '', ...value] = text.trim().split('=')
  try {
    return [name, decodeURIComponent(value.join('='))]
  } catch {
    return [name, '']
  }
}

const langs: Readonly<Record<string, Prefs['lang']>> = { nb: 'nb', no: 'nb', nn: 'nn', en: 'en' }

/** Of the languages that the page has, the one that is most welcome; of two that are as welcome, the first. */
function preferredLang(accepted: string | null): Prefs['lang'] {
  const ranges = (accepted ?? '').split(',').map((range) => {
    const [tag = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    const quality = Number(parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? 1)
    return { lang: langs[tag.split('-')[0] ?? ''], quality: Number.isFinite(quality) ? quality : 0 }
  })
  const known = ranges.filter(({ lang, quality }) => lang !== undefined && quality > 0)
  return known.toSorted((a, b) => b.quality - a.quality)[0]?.lang ?? 'nb'
}
