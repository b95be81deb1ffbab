import type { JsonValue } from '@sidelinja/jobs-core'
import { judgeName, type NameVerdict } from './secret-names.ts'

/** Keys of a pair like `{ "name": "Authorization", "value": "…" }`. */
const nameKeys = ['name', 'key', 'header', 'field', 'variable', 'navn']
const valueKeys = new Set(['value', 'val', 'content', 'verdi'])
const maxDepth = 32

type JsonObject = { readonly [key: string]: JsonValue | undefined }

/** Whether a value is a secret by the name it stands under. Nothing to hide is none: that it is missing may be why a job failed. */
export function isNamedSecret(value: JsonValue | undefined, verdict: NameVerdict): boolean {
  if (verdict === undefined || value === undefined || value === null || value === '' || typeof value === 'boolean') return false
  if (typeof value === 'number') return verdict === 'strong'
  return typeof value === 'string' || Object.keys(value).length > 0
}

/** What an object says about the value of one of its keys: by the key, or by a name that stands beside it. */
export function judgeEntry(object: JsonObject, key: string): NameVerdict {
  return judgeName(key) ?? (valueKeys.has(key.toLowerCase()) ? nameKeys.map((name) => judgeText(object[name])).find(Boolean) : undefined)
}

/** What a list says about an item by the one before it, as in `["--password", "…"]` and `["Authorization", "…"]`. */
export function judgeItem(list: readonly JsonValue[], index: number): NameVerdict {
  return judgeText(list[index - 1])
}

/** Whether anything in a value is a secret by its name. */
export function hasNamedSecret(value: JsonValue, depth = 1): boolean {
  if (typeof value !== 'object' || value === null || depth > maxDepth) return false
  const parts = Object.entries(value).map(([key, inner]: [string, JsonValue | undefined]) => ({
    inner,
    verdict: Array.isArray(value) ? judgeItem(value, Number(key)) : judgeEntry(value as JsonObject, key),
  }))
  return parts.some(({ inner, verdict }) => isNamedSecret(inner, verdict) || (inner !== undefined && hasNamedSecret(inner, depth + 1)))
}

/** The object or list that a text is, if it is JSON. */
export function jsonInText(text: string): JsonValue | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    return undefined
  }
}

/** A text that is a name and nothing else. */
function judgeText(text: JsonValue | undefined): NameVerdict {
  return typeof text === 'string' && /^[-/]{0,2}[A-Za-zÆØÅæøå][\wæøåÆØÅ.-]{1,60}:?$/.test(text) ? judgeName(text) : undefined
}
