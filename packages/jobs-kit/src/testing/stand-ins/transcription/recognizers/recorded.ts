import { open } from 'node:fs/promises'
import type { Recognizer } from '../recognizer.ts'
import type { VerboseTranscription } from '../transcription.ts'

/** Answers the same whatever is uploaded; it only tells an empty file and a text from audio. */
export function recordedRecognizer(transcription: VerboseTranscription): Recognizer {
  return {
    describe: () =>
      `a recorded reply, the same whatever is uploaded (${transcription.segments.length} segments): nothing listens to the audio`,
    async recognize({ path, sizeBytes }, { signal }) {
      signal.throwIfAborted()
      if (sizeBytes === 0) return { outcome: 'empty' }
      if (await isText(path)) return { outcome: 'undecodable' }
      return { outcome: 'recognised', transcription }
    },
  }
}

async function isText(path: string): Promise<boolean> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(512), 0, 512, 0)
    return buffer.subarray(0, bytesRead).every((byte) => byte >= 0x20 || (byte >= 0x09 && byte <= 0x0d))
  } finally {
    await file.close()
  }
}
