import type { JsonValue } from '@sidelinja/jobs-core'
import type { Focus } from './focus.ts'
import type { Source } from './source.ts'
import { contentWords, stem, wordsOf } from './words.ts'

/** One of the values: what the data says under that name, the language of the text, a reference, or the first that the text names. */
export function chooseEnum(
  values: readonly JsonValue[],
  { key, source, focus }: { key: string; source: Source; focus: Focus | undefined },
): JsonValue {
  const echo = source.data[key] as JsonValue | undefined
  if (echo !== undefined && echo !== null && values.includes(echo)) return echo
  const first = values.find((value) => value !== null) ?? null
  const otherwise = values.includes(null) ? null : first
  if (/(^|_)(language|lang|språk)$/.test(key)) return languageAmong(values, source) ?? otherwise
  if (/(^|_)ref$|candidate|_of$/.test(key)) return values.find((value) => value === focus?.candidate?.ref) ?? otherwise
  const text = focus?.sentence ? [focus.sentence] : source.sentences
  const stems = new Set(text.flatMap((sentence) => contentWords(sentence.text)).map(stem))
  return values.find((value) => typeof value === 'string' && wordsOf(value).some((word) => stems.has(stem(word)))) ?? otherwise
}

function languageAmong(values: readonly JsonValue[], { language }: Source): JsonValue | undefined {
  const names =
    language === 'en' ? ['en', 'eng', 'english'] : [language, language === 'nb' ? 'bokmål' : 'nynorsk', 'no', 'nor', 'norwegian']
  return values.find((value) => typeof value === 'string' && names.includes(value.toLowerCase().split('-', 1)[0] ?? ''))
}
