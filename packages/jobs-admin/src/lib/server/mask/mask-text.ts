import { maskSecrets } from '@sidelinja/jobs-core/admin'
import { hasNamedSecret, jsonInText } from './named-secret.ts'

/** What stands in place of a secret. */
export const MASK = '***'
/** Ends a text of which something was left out. */
export const CUT = ' … (cut)'

/** Longer text is cut before it is searched. */
const maxSearched = 20_000
/** The last word of such a text may be half a credential that no pattern knows any more; none is longer than this. */
const maxHalfWord = 4_000
/** A secret in base64 in base64 in base64 is found, one more is not. */
const maxLayers = 3

/** What masking for display knows beside maskSecrets, which runs over every error that is stored. The first group stays. */
const patterns: readonly RegExp[] = [
  // Names that maskSecrets does not know, with a quoted value, or one that holds a digit
  /((?:session(?:[_-]?id)?|dsn|auth|jwt|passord|nøkkel|connection[_-]?string|database[_-]?url)\\*["']?\s{0,5}[:=]\s{0,5}\\*["'])[^"'\\]{4,}/gi,
  /(\b(?:session(?:[_-]?id)?|sid|dsn|auth|jwt|passord|nøkkel)\s{0,5}[:=]\s{0,5})(?=[^\s"',;&]{0,60}\d)[^\s"',;&)}\]]{4,}/gi,
  // A long word after one that announces it, without a sign between: "the token is 3f9a…"
  /(\b(?:token|password|passord|secret|api[ _-]?key|nøkkel|credential|session)(?: is| er| was| var|:)?\s{1,3}["']?)(?=[\w+/.=-]{0,200}\d)[\w+/.=-]{16,}/gi,
  // A key in place of the user: https://3f9a…@git.example.org
  /([a-z][a-z0-9+.-]{0,20}:\/\/)[\w.~-]{16,200}(?=@)/gi,
  /(https:\/\/hooks\.[a-z0-9.-]{1,60}\/services\/)[\w/-]{10,}/gi,
  // Any block of PEM that is not public
  /(-----BEGIN (?!CERTIFICATE-----|PUBLIC KEY-----)[A-Z0-9 ]{1,40}-----)[^-]+/g,
]

/**
 * A text with its secrets masked, also where they stand in base64, hexadecimal or percent encoding. Text beyond 20,000 characters is
 * left out, with a mark.
 */
export function maskText(text: string): string {
  if (text.length <= maxSearched) return maskLayer(text, 0)
  return `${maskLayer(withoutHalfWord(text.slice(0, maxSearched)), 0)}${CUT}`
}

function maskLayer(text: string, layer: number): string {
  const masked = patterns.reduce((rest, pattern) => rest.replace(pattern, `$1${MASK}`), maskSecrets(text))
  if (layer >= maxLayers) return masked
  const maskHidden = (run: string, readings: readonly (string | undefined)[]) =>
    readings.some((decoded) => hidesSecret(decoded, layer)) ? MASK : run
  return masked
    .replace(/[^\s"'<>]+/g, (word) => maskHidden(word, [percentDecoded(word)]))
    .replace(/\b(?:[0-9a-f]{2}){8,}\b/gi, (run) => maskHidden(run, [Buffer.from(run, 'hex').toString()]))
    .replace(/[A-Za-z0-9+/_-]{12,}={0,2}/g, (run) => maskHidden(run, base64Readings(run)))
}

/** What was decoded counts when it is text, and something in it would be masked. */
function hidesSecret(decoded: string | undefined, layer: number): boolean {
  if (decoded === undefined || decoded.length < 8 || !isText(decoded)) return false
  return hasNamedSecret(jsonInText(decoded) ?? null) || maskLayer(decoded, layer + 1) !== decoded
}

/** A run may hold a path or a field's name before the encoded part. */
function base64Readings(run: string): string[] {
  const parts = run.split(/[/_-]/).filter((part) => part !== run && part.length >= 12)
  return [run, ...parts].map((part) => Buffer.from(part, 'base64').toString())
}

function percentDecoded(word: string): string | undefined {
  if (!/%[0-9a-f]{2}/i.test(word)) return undefined
  try {
    return decodeURIComponent(word)
  } catch {
    return undefined
  }
}

function isText(decoded: string): boolean {
  return !/[\p{Cc}\ufffd]/u.test(decoded.replace(/[\t\r\n]/g, ''))
}

function withoutHalfWord(text: string): string {
  const lastWord = /\s\S*$/.exec(text.slice(-maxHalfWord))
  return text.slice(0, text.length - (lastWord ? lastWord[0].length : maxHalfWord))
}
