import type { JsonValue } from '@sidelinja/jobs-core'

/** One server-sent event. */
export interface ServerEvent {
  /** Its name: what a page listens for. Default `message`. */
  event?: string
  /** What a browser sends as Last-Event-ID when it comes back. */
  id?: string
  data: JsonValue
}

/** The event as it goes over the wire. A name or id holds no line break: it would begin a field of its own. */
export function formatEvent({ event, id, data }: ServerEvent): string {
  const lines = [event && `event: ${oneLine(event)}`, id !== undefined && `id: ${oneLine(id)}`, `data: ${JSON.stringify(data)}`]
  return `${lines.filter(Boolean).join('\n')}\n\n`
}

function oneLine(text: string): string {
  return text.replace(/[\r\n\0]+/g, ' ')
}
