const byName: Readonly<Record<string, string>> = {
  norwegian: 'nb',
  nynorsk: 'nn',
  english: 'en',
  swedish: 'sv',
  danish: 'da',
  finnish: 'fi',
  icelandic: 'is',
  german: 'de',
  french: 'fr',
  spanish: 'es',
}

/** The tag of a language as a server names it: by code (whisper's `no` is our `nb`), or in English. Null for what is neither. */
export function toLanguageTag(language: string | null): string | null {
  const name = language?.toLowerCase()
  if (name === undefined) return null
  if (name === 'no') return 'nb'
  return /^[a-z]{2}$/.test(name) ? name : (byName[name] ?? null)
}
