import type { HttpResponse } from '../http/http-client.ts'

/** Texts, which stay as they are (also one that broke off: else each of its quotes would be read to the end), and what Python writes for numbers that are none. */
const notNumbers = /"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?$)|-?\bInfinity\b|\bNaN\b/gs

/**
 * An answer's JSON. Servers in Python write NaN and Infinity, where a recogniser could not tell how sure it was: JSON has no such words, here they are null.
 * @throws what `json` throws.
 */
export function readJson({ text, json }: Pick<HttpResponse, 'text' | 'json'>): unknown {
  try {
    return json()
  } catch (error) {
    const mended = text.replace(notNumbers, (found) => (found.startsWith('"') ? found : 'null'))
    if (mended === text) throw error
    try {
      return JSON.parse(mended)
    } catch {
      throw error
    }
  }
}
