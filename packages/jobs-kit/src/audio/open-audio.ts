import type { RootedFile } from '../files/file-root.ts'
import type { ProbedAudio } from './audio-info.ts'
import { type AudioInput, openInput } from './input.ts'
import { probeInputFile } from './probe.ts'
import type { Program } from './run-program.ts'

/** An open file and what it says of itself. */
export interface OpenAudio {
  input: AudioInput
  info: ProbedAudio
}

/** Opens and probes a file, hands it on, and closes it. Whatever is put in its place meanwhile, it is the same file to the end. */
export async function withOpenAudio<T>(
  ffprobe: Program,
  file: RootedFile,
  { signal, limitMs }: { signal: AbortSignal; limitMs: number },
  use: (audio: OpenAudio) => T | Promise<T>,
): Promise<T> {
  const input = await openInput(file)
  try {
    return await use({ input, info: await probeInputFile(ffprobe, input, signal, limitMs) })
  } finally {
    await input.handle.close()
  }
}
