/** What the form was filled with, as text. */
export interface EpisodeForm {
  title: string
  audioPath: string
  collectionNodeId: string
  language: string
}

/** What is wrong with a field, in words for who filled it. */
export type EpisodeProblems = Partial<Record<keyof EpisodeForm, string>>

const maxTitle = 200

/** The fields of the form, without spaces around them. Files and missing fields are empty texts. */
export function readEpisodeForm(data: FormData): EpisodeForm {
  const text = (name: string) => {
    const value = data.get(name)
    return typeof value === 'string' ? value.trim() : ''
  }
  return { title: text('title'), audioPath: text('audioPath'), collectionNodeId: text('collectionNodeId'), language: text('language') }
}

/** Judges the form by what the job takes, before anything is written. */
export function checkEpisodeForm(form: EpisodeForm, collectionIds: readonly string[]): EpisodeProblems {
  const problems: EpisodeProblems = {}
  if (form.title === '') problems.title = 'Skriv en tittel.'
  else if (form.title.length > maxTitle) problems.title = `Tittelen kan ha ${maxTitle} tegn.`
  if (!isAudioPath(form.audioPath)) problems.audioPath = 'Skriv stien til lydfila under mediemappa, for eksempel show/ep001.mp3.'
  if (!collectionIds.includes(form.collectionNodeId)) problems.collectionNodeId = 'Velg en samling fra lista.'
  if (!isLanguage(form.language)) problems.language = 'Velg et språk fra lista.'
  return problems
}

/** What the form offers: whisper's own guess first. */
export const LANGUAGES = [
  { tag: 'auto', name: 'Finn ut av det' },
  { tag: 'nb', name: 'Bokmål' },
  { tag: 'nn', name: 'Nynorsk' },
  { tag: 'en', name: 'Engelsk' },
] as const

/** The worker opens no path that leads out of its folder; here somebody can still be told. */
function isAudioPath(path: string): boolean {
  return path.length > 0 && path.length <= 500 && !path.startsWith('/') && !path.split('/').includes('..') && !/[\p{Cc}\\]/u.test(path)
}

function isLanguage(tag: string): boolean {
  return LANGUAGES.some((language) => language.tag === tag)
}
