import { maskSecrets } from '@sidelinja/jobs-core/worker'

/** Longer texts are cut before patterns run over them. */
const longestRead = 20_000
const longestExcerpt = 2_000

/**
 * What an answer that is no success says, in one text: the message of the usual JSON shapes (`error.message`, `error`, `detail`, FastAPI's
 * list of details, `message`), or the words of a page. Never what it echoes of the request: validation errors carry their input, which
 * may be a prompt. At most 2,000 characters, secrets masked. '' when it says nothing.
 */
export function describeAnswer(body: string): string {
  const text = body.slice(0, longestRead)
  const said = fromJson(text) ?? fromPage(text)
  const masked = maskSecrets(said).replace(/\s+/g, ' ').trim()
  return masked.length <= longestExcerpt ? masked : `${masked.slice(0, longestExcerpt)}…`
}

function fromJson(text: string): string | undefined {
  if (!/^\s*[[{"]/.test(text)) return undefined
  try {
    const parsed: unknown = JSON.parse(text)
    return (
      messageOf(parsed, 0) ??
      `JSON with ${
        Object.keys(parsed ?? {})
          .slice(0, 10)
          .join(', ') || 'nothing in it'
      }`
    )
  } catch {
    return undefined
  }
}

/** The words, wherever the usual shapes have them; undefined for a shape that is not known. */
function messageOf(value: unknown, depth: number): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value !== 'object' || value === null || depth > 3) return undefined
  if (Array.isArray(value)) {
    const parts = value.slice(0, 5).flatMap((part) => messageOf(part, depth + 1) ?? [])
    return parts.length > 0 ? parts.join('; ') : undefined
  }
  const { error, detail, message, msg, loc } = value as Record<string, unknown>
  const words = [error, detail, message, msg].map((part) => messageOf(part, depth + 1)).find((part) => part !== undefined)
  return words !== undefined && Array.isArray(loc) ? `${loc.join('.')}: ${words}` : words
}

function fromPage(text: string): string {
  if (!/<(!doctype|html|head|body)\b/i.test(text)) return text
  return text.replace(/<(script|style)\b[\s\S]{0,20000}?<\/\1>/gi, ' ').replace(/<[^>]{0,2000}>/g, ' ')
}
