import type { JsonValue } from '@sidelinja/jobs-core'

/** What a stand-in sends back. */
export interface Answer {
  status: number
  headers: Record<string, string>
  body: string | Buffer
}

/** An answer in JSON. */
export function jsonAnswer(status: number, value: JsonValue | object, headers: Record<string, string> = {}): Answer {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(value) }
}

/** An answer in text. */
export function textAnswer(status: number, body: string, contentType = 'text/plain; charset=utf-8'): Answer {
  return { status, headers: { 'content-type': contentType }, body }
}
