import type { Focus } from './focus.ts'
import type { Source } from './source.ts'

/** A number by its name: of a passage, or how sure the model is; undefined when it can only guess. */
export function chooseNumber(
  { key, source, focus }: { key: string; source: Source; focus: Focus | undefined },
  whole: boolean,
): number | undefined {
  if (/segment|evidence|page|^n$|_n$|number|^seq/.test(key)) return focus?.n ?? source.passages[0]?.n
  if (/stance/.test(key))
    return focus?.sentence && focus.candidate ? (isNegated(focus.sentence.text) === isNegated(focus.candidate.name) ? 1 : -1) : undefined
  if (/confidence|score|similarity|weight|relevance|probability/.test(key)) {
    const confidence = focus?.confidence ?? 0.5
    return whole ? Math.round(confidence) : confidence
  }
  const echo = source.data[key]
  return typeof echo === 'number' && Number.isFinite(echo) ? (whole ? Math.trunc(echo) : echo) : undefined
}

/** For and against have the same words but for one of these. */
function isNegated(text: string): boolean {
  return /(?<!\p{L})(?:ikke|ikkje|ingen|aldri|mot|avvis\p{L}*|nei|not|no|against|oppose\p{L}*)(?!\p{L})/iu.test(text)
}
