import type { JsonValue } from '@sidelinja/jobs-core'
import { CUT, MASK, maskText } from './mask-text.ts'
import { hasNamedSecret, isNamedSecret, jsonInText, judgeEntry, judgeItem } from './named-secret.ts'
import type { NameVerdict } from './secret-names.ts'

/** How much of a value is shown. */
export interface MaskLimits {
  /** Characters of one text. Default 2,000. */
  maxText?: number
  /** Items of one list, and keys of one object. Default 100. */
  maxItems?: number
  /** Levels. Default 32. */
  maxDepth?: number
  /** Characters of all texts and keys together. Default 131,072. */
  maxTotal?: number
}

/** A value as it may be shown. */
export interface MaskedJson {
  /** A copy; what is masked is `***`, what was left out is counted in its place (`… 23 more`). */
  value: JsonValue
  /** Where something was masked, like `payload.headers[1]`; at most 1,000. */
  masked: string[]
  /** Whether anything was left out for its size. */
  cut: boolean
}

const maxPaths = 1_000
/** Longer text is not parsed. */
const maxJsonText = 262_144

/**
 * A value for display: secrets are masked at any depth, by the name of their key and by what they look like, in values, lists and keys.
 * Masks before it cuts. For text that looks like nothing and stands under a name that says nothing, nobody can help.
 */
export function maskJson(value: JsonValue, root: string, limits: MaskLimits = {}): MaskedJson {
  const { maxText = 2_000, maxItems = 100, maxDepth = 32, maxTotal = 131_072 } = limits
  const walk: Walk = { maxText, maxItems, maxDepth, left: maxTotal, masked: [], cut: false }
  return { value: maskValue(value, { walk, path: root, depth: 1, secret: undefined }), masked: walk.masked, cut: walk.cut }
}

interface Walk {
  readonly maxText: number
  readonly maxItems: number
  readonly maxDepth: number
  /** Characters that may still be shown. */
  left: number
  readonly masked: string[]
  cut: boolean
}

interface Place {
  readonly walk: Walk
  readonly path: string
  readonly depth: number
  /** What the name above says. */
  readonly secret: NameVerdict
}

function maskValue(value: JsonValue, place: Place): JsonValue {
  if (isNamedSecret(value, place.secret)) return note(place, MASK)
  if (typeof value === 'string') return showText(value, place)
  if (typeof value !== 'object' || value === null) return value
  const size = Object.keys(value).length
  if (size > 0 && (place.depth > place.walk.maxDepth || place.walk.left <= 0)) return leaveOut(place.walk, `… ${size} inside`)
  return isList(value) ? maskList(value, place) : maskObject(value, place)
}

function maskList(list: readonly JsonValue[], place: Place): JsonValue {
  const { walk, path, depth } = place
  const shown = list
    .slice(0, walk.maxItems)
    .map((item, index) => maskValue(item, { walk, path: `${path}[${index}]`, depth: depth + 1, secret: judgeItem(list, index) }))
  const more = list.length - shown.length
  return more > 0 ? [...shown, leaveOut(walk, `… ${more} more`)] : shown
}

function maskObject(object: { readonly [key: string]: JsonValue | undefined }, place: Place): JsonValue {
  const { walk, path, depth } = place
  const entries = Object.entries(object).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined)
  const shown = new Map<string, JsonValue>()
  for (const [key, value] of entries.slice(0, walk.maxItems)) {
    const shownKey = freeKey(showKey(key, place), shown)
    shown.set(shownKey, maskValue(value, { walk, path: `${path}.${shownKey}`, depth: depth + 1, secret: judgeEntry(object, key) }))
  }
  const more = entries.length - Math.min(entries.length, walk.maxItems)
  if (more > 0) shown.set(freeKey('…', shown), leaveOut(walk, `${more} more`))
  return Object.fromEntries(shown)
}

function showKey(key: string, place: Place): string {
  const masked = maskText(key)
  if (masked !== key && masked.includes(MASK)) note({ ...place, path: `${place.path}.${cutText(masked, 100, place.walk)}` }, masked)
  return spend(cutText(masked, 200, place.walk), place.walk)
}

/** Two keys that are masked look alike. */
function freeKey(key: string, taken: ReadonlyMap<string, JsonValue>): string {
  if (!taken.has(key)) return key
  let count = 2
  while (taken.has(`${key} (${count})`)) count++
  return `${key} (${count})`
}

function showText(text: string, place: Place): string {
  if (place.walk.left <= 0) return leaveOut(place.walk, '…')
  const masked = maskJsonText(text, place) ?? maskText(text)
  if (masked.includes(MASK) && masked !== text) note(place, masked)
  return spend(cutText(masked, Math.min(place.walk.maxText, place.walk.left), place.walk, text.length), place.walk)
}

/** JSON in a text is masked as JSON, where something in it is a secret by its name. */
function maskJsonText(text: string, place: Place): string | undefined {
  const value = text.length <= maxJsonText ? jsonInText(text) : undefined
  if (value === undefined || !hasNamedSecret(value)) return undefined
  return JSON.stringify(maskValue(value, { ...place, depth: place.depth + 1, secret: undefined }))
}

/** @param length of the text before anything was taken from it */
function cutText(text: string, maxLength: number, walk: Walk, length = text.length): string {
  if (text.endsWith(CUT) || text.length > maxLength)
    return leaveOut(walk, `${text.slice(0, maxLength).toWellFormed()} … (${length} characters)`)
  return text
}

function spend(text: string, walk: Walk): string {
  walk.left -= text.length
  return text
}

function leaveOut(walk: Walk, mark: string): string {
  walk.cut = true
  return mark
}

function note({ walk, path }: Place, shown: string): string {
  if (walk.masked.length < maxPaths) walk.masked.push(path)
  return shown
}

function isList(value: object): value is readonly JsonValue[] {
  return Array.isArray(value)
}
