import type { JsonValue } from '@sidelinja/jobs-core'

/**
 * Three or more equals signs, as only the markers have them; what control tokens of models are made of (`<|im_end|>`, `</s>`, `[/INST]`), which servers may
 * take for their own; what is not seen or turns text around.
 */
const ESCAPED = /={3,}|\[(?=\/?[A-Z_]{3,20}\])|[<>\u007f-\u009f\u2028\u2029\u200b\u202a-\u202e\u2060-\u2069\ufeff]|[\u{e0000}-\u{e007f}]/gu

/**
 * Data as JSON on one line that no text in it can leave: line feeds and quotes are escaped by JSON, and what the markers are made of by us. Half surrogate
 * pairs become U+FFFD.
 */
export function encodeData(data: JsonValue): string {
  const json = JSON.stringify(data, (_key, value) => (typeof value === 'string' ? value.toWellFormed() : value))
  // Half pairs are left in keys only, as JSON escapes them.
  return json.replace(/(?<!\\)((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g, '$1\ufffd').replace(ESCAPED, escapeAll)
}

function escapeAll(signs: string): string {
  return signs.replace(/[\s\S]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
