import type { NorwegianForm } from './norwegian-form.ts'

const norwegian = {
  nb: 'Write every text of the reply in Norwegian bokmål, whatever language these rules are in (skriv på bokmål, ikke nynorsk).',
  nn: 'Write every text of the reply in Norwegian nynorsk, whatever language these rules are in (skriv på nynorsk, ikkje bokmål).',
}

/**
 * The sentence of a prompt that says in which language to reply: for a form as `norwegianForm` gives it, or a language tag (`nb`, `nn-NO`, `en`). Null, or a tag
 * that is none: the language of the data.
 */
export function languageRule(language: NorwegianForm | (string & {}) | null): string {
  const primary = language?.toLowerCase().split(/[-_]/)[0] ?? ''
  if (primary === 'nb' || primary === 'nob') return norwegian.nb
  if (primary === 'nn' || primary === 'nno') return norwegian.nn
  const name = primary === 'no' || primary === 'nor' ? undefined : nameOf(primary)
  if (name !== undefined) return `Write every text of the reply in ${name}, whatever language these rules are in.`
  return 'Write every text of the reply in the language of the data; where that is Norwegian, in its form: bokmål for bokmål, nynorsk for nynorsk.'
}

function nameOf(tag: string): string | undefined {
  if (!/^[a-z]{2,3}$/.test(tag)) return undefined
  return new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' }).of(tag)
}
