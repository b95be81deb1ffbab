import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AudioUpload, Recognition, Recognizer } from '../recognizer.ts'
import { readSegments } from './read-segments.ts'
import { runProgram } from './run-program.ts'

const sampleRate = 16_000
const recognizerProgram = 'pocketsphinx_continuous'

/** Real recognition of English by pocketsphinx, through ffmpeg. Well-spoken, synthetic speech comes out mostly right; other languages not at all. */
export function pocketsphinxRecognizer(): Recognizer {
  return {
    describe: () => 'real recognition of English by pocketsphinx, far below Whisper’s quality',
    recognize: async (audio, { threads, signal }) => {
      const pcmPath = `${audio.path}.pcm`
      if (!(await convert(audio, pcmPath, threads, signal))) return { outcome: audio.sizeBytes === 0 ? 'empty' : 'undecodable' }
      return listen(pcmPath, threads, signal)
    },
  }
}

/** Whether pocketsphinx, its English model and ffmpeg are installed; otherwise what is missing, in words. */
export async function findPocketsphinx(): Promise<true | string> {
  const folder = await mkdtemp(join(tmpdir(), 'pocketsphinx-'))
  try {
    await runProgram('ffmpeg', ['-version'])
    const silence = join(folder, 'silence.pcm')
    await writeFile(silence, Buffer.alloc(sampleRate / 5))
    await runProgram(recognizerProgram, ['-infile', silence, '-logfn', '/dev/null'])
    return true
  } catch (error) {
    const { code, path } = error as NodeJS.ErrnoException
    return code === 'ENOENT' ? `${path} is not installed` : 'pocketsphinx has no English model'
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** @returns false when ffmpeg cannot make audio of it. */
async function convert(
  { path, contentType }: AudioUpload,
  pcmPath: string,
  threads: number | undefined,
  signal: AbortSignal,
): Promise<boolean> {
  const raw = /^audio\/(pcm|raw)\b/.test(contentType ?? '') ? ['-f', 's16le', '-ar', String(sampleRate), '-ac', '1'] : []
  const output = ['-vn', '-map', '0:a:0', '-ac', '1', '-ar', String(sampleRate), '-f', 's16le', '-y', pcmPath]
  const limits = ['-nostdin', '-v', 'error', '-protocol_whitelist', 'file', ...(threads ? ['-threads', String(threads)] : [])]
  try {
    await runProgram('ffmpeg', [...limits, ...raw, '-i', path, ...output], { signal, gentle: threads !== undefined })
    return true
  } catch (error) {
    signal.throwIfAborted()
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw error
    return false
  }
}

async function listen(pcmPath: string, threads: number | undefined, signal: AbortSignal): Promise<Recognition> {
  const { size } = await stat(pcmPath)
  if (size === 0) return { outcome: 'empty' }
  const args = ['-infile', pcmPath, '-time', 'yes', '-logfn', '/dev/null']
  try {
    const output = await runProgram(recognizerProgram, args, { signal, gentle: threads !== undefined })
    const duration = size / 2 / sampleRate
    return { outcome: 'recognised', transcription: { language: 'en', duration, segments: readSegments(output) } }
  } finally {
    await rm(pcmPath, { force: true })
  }
}
