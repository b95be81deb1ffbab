/** More would cost more in numbers than in words. */
const mostSegments = 2_000

/** A page's text as segments for a model: its paragraphs and lines; of very many, several together. No word is lost. */
export function pageSegments(text: string): { text: string }[] {
  const lines = text.split('\n').flatMap((line) => line.trim() || [])
  const each = Math.ceil(lines.length / mostSegments)
  const segments: { text: string }[] = []
  for (let at = 0; at < lines.length; at += each) segments.push({ text: lines.slice(at, at + each).join('\n') })
  return segments
}
