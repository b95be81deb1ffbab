import { type Data, isObject } from './data.ts'

/** A piece of the source with the number that it goes by. */
export interface Passage {
  n: number
  text: string
}

/** Fields that number what stands beside them. */
const numbers = ['n', 'segment', 'start_segment', 'startSegment', 'page', 'evidence', 'segments']
/** Fields that say something about the text instead of being it. */
const notText =
  /^(ref|refs|id|ids|.*_ref|.*_id|language|lang|mode|instructions?|url|link|.*_at|.*_date|date|role|speaker|relation|source_type|name|names|candidates?|people|topics)$/i

/** The pieces of the source: its segments, else its text by paragraphs, else whatever text there is (partial answers to be put together). */
export function readPassages(data: Data): Passage[] {
  const segments = (Array.isArray(data.segments) ? data.segments : []).filter(isObject)
  const found =
    segments.length > 0 ? segments.flatMap(readSegment) : typeof data.text === 'string' ? paragraphs(data.text) : leaves(data, 1)
  return found.filter(({ text }) => /[\p{L}\p{N}]/u.test(text))
}

function readSegment(segment: Data, index: number): Passage[] {
  return typeof segment.text === 'string' ? [{ n: numberOf(segment) ?? index + 1, text: segment.text }] : []
}

function paragraphs(text: string): Passage[] {
  return text.split(/\r?\n[ \t]*\r?\n/).map((paragraph, index) => ({ n: index + 1, text: paragraph.trim() }))
}

function leaves(value: unknown, n: number, depth = 0): Passage[] {
  if (typeof value === 'string') return [{ n, text: value }]
  if (depth > 8) return []
  if (Array.isArray(value)) return isCandidates(value) ? [] : value.flatMap((item) => leaves(item, n, depth + 1))
  if (!isObject(value)) return []
  const own = numberOf(value) ?? n
  return Object.entries(value).flatMap(([name, part]) => (notText.test(name) ? [] : leaves(part, own, depth + 1)))
}

/** A list out of which references are to be chosen. */
export function isCandidates(value: unknown): value is Data[] {
  return Array.isArray(value) && value.length > 0 && value.every((item) => isObject(item) && typeof item.ref === 'string')
}

function numberOf(object: Data): number | undefined {
  const [first] = numbers.flatMap((name) => [object[name]].flat()).filter((value) => Number.isInteger(value))
  return first as number | undefined
}
