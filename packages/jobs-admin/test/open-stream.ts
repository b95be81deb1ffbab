import type { TestAdmin } from './support.ts'

/** An open event stream of the user's, and ways to wait for what it says. */
export async function openStream(admin: TestAdmin, ids: readonly string[]) {
  const stop = new AbortController()
  const { body } = await admin.send(admin.user, `/admin/jobs/events?ids=${ids}`, { signal: stop.signal })
  const reader = (body as ReadableStream<Uint8Array>).getReader()
  const decoder = new TextDecoder()
  let text = ''
  const readOn = async () => {
    const { done, value } = await reader.read()
    if (value) text += decoder.decode(value, { stream: true })
    return !done
  }
  return {
    text: () => text,
    stop: () => stop.abort(),
    async until(words: string) {
      while (!text.includes(words)) if (!(await readOn())) throw new Error(`It ended without ${words}: ${text}`)
    },
    /** All it said until it ended. */
    async end() {
      while (await readOn());
      return text
    },
  }
}
