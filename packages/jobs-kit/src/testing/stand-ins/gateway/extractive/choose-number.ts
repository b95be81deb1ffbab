import type { Focus } from './focus.ts'
import type { Source } from './source.ts'

/** A number by its name: of a passage, or how sure the model is; undefined when it can only guess. */
export function chooseNumber(
  { key, source, focus }: { key: string; source: Source; focus: Focus | undefined },
  whole: boolean,
): number | undefined {
  if (/segment|evidence|page|^n$|_n$|number|^seq/.test(key)) return focus?.n ?? source.passages[0]?.n
  if (/confidence|score|similarity|weight|relevance|probability/.test(key)) {
    const confidence = focus?.confidence ?? 0.5
    return whole ? Math.round(confidence) : confidence
  }
  const echo = source.data[key]
  return typeof echo === 'number' && Number.isFinite(echo) ? (whole ? Math.trunc(echo) : echo) : undefined
}
