import type { ChatMessage } from '../chat/chat-request.ts'

/** What a question is about, as the handler sent it. */
export type Data = Record<string, unknown>

/** The data of the first message that has some between markers; without markers the user's words are the text. */
export function readData(messages: readonly ChatMessage[]): Data {
  const said = messages.filter(({ role }) => role === 'user').map(({ content }) => content)
  for (const content of said) {
    const between = /^(=====DATA [0-9a-f]+=====)\n([\s\S]*?)\n\1\s*$/m.exec(content)?.[2]
    const value = between === undefined ? undefined : parse(between)
    if (value !== undefined) return isObject(value) ? value : { text: typeof value === 'string' ? value : JSON.stringify(value) }
  }
  return { text: said[0] ?? '' }
}

export function isObject(value: unknown): value is Data {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
