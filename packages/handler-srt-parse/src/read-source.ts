import { type FileRoot, MAX_SUBTITLE_BYTES } from '@sidelinja/jobs-kit'
import type { Payload } from './job.ts'

/** Subtitles to be read: the payload's own text, or the bytes of its file. */
type Source = { readonly kind: 'text'; readonly content: string } | { readonly kind: 'file'; readonly content: Uint8Array }

/** The subtitles a payload brings or names; undefined when it does neither. Of a file no more is read than what is too much. */
export async function readSource(media: FileRoot, { text, path }: Payload, signal: AbortSignal): Promise<Source | undefined> {
  if (text !== undefined) return { kind: 'text', content: text }
  if (path === undefined) return undefined
  const file = await media.open(path)
  try {
    const chunks: Buffer[] = []
    for await (const chunk of file.createReadStream({ autoClose: false, end: MAX_SUBTITLE_BYTES })) {
      signal.throwIfAborted()
      chunks.push(chunk)
    }
    return { kind: 'file', content: Buffer.concat(chunks) }
  } finally {
    await file.close()
  }
}
