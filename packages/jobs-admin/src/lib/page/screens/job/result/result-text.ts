import { visibleText } from '../../../format/visible-text.ts'
import type { Lang } from '../../../messages/index.ts'
import type { ResultText } from '../../../wire/result-body.ts'

/** A text of a result in the reader's language, with what cannot be seen made visible. Pure. */
export function resultText(text: ResultText, lang: Lang): string {
  return visibleText(typeof text === 'string' ? text : text[lang])
}
