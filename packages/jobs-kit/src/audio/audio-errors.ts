import { PermanentError, TransientError } from '@sidelinja/jobs-core'
import { quote } from '../files/relative-path.ts'
import { type ProgramEnd, wasEnded } from './run-program.ts'

/** How ffmpeg ends when SIGTERM or SIGINT asks it to, without a word. */
const endedBySignal = 255

const maxSaidLength = 200

/** Faults of the machine, as ffmpeg prints them; it knows no language but English. */
const readFault = /Input\/output error|Stale file handle/
const machineFault = /Cannot allocate memory|Resource temporarily unavailable|Permission denied|No such file or directory/
const writeFault = /No space left on device|Disk quota exceeded|File too large|Read-only file system/

/**
 * What the end of a program means: nothing when it is done with the file, else an error. Whatever is no fault of the machine is the
 * file's: another attempt would find it the same.
 */
export function failureOf({ exitCode, stderr }: ProgramEnd, path: string): Error | undefined {
  // These two even when it says that all went well: it takes a disk's fault for the end of the file.
  if (readFault.test(stderr)) return new TransientError('FILE_READ_FAILED', `${quote(path)} could not be read to its end: ${said(stderr)}.`)
  if (writeFault.test(stderr)) {
    return new TransientError(
      'AUDIO_TEMP_FAILED',
      `A part of ${quote(path)} could not be written to the folder of temporary files: ${said(stderr)}. Make room there, or set another folder.`,
    )
  }
  if (exitCode === 0) return undefined
  if (exitCode === endedBySignal) return wasEnded('ffmpeg', 'by a signal')
  if (machineFault.test(stderr)) return new TransientError('FFMPEG_FAILED', `ffmpeg could not work on ${quote(path)}: ${said(stderr)}.`)
  return unreadable(path, `ffmpeg says: ${said(stderr)}`)
}

export function unreadable(path: string, why: string): PermanentError {
  return new PermanentError(
    'AUDIO_UNREADABLE',
    `${quote(path)} is no audio file that can be read (${why}). Expected mp3, m4a, wav, flac, ogg, opus, webm or the like. Upload it again, or convert it.`,
  )
}

export function silentContainer(path: string): PermanentError {
  return new PermanentError('AUDIO_EMPTY', `${quote(path)} holds no sound at all, only the beginning of an audio file. Upload it again.`)
}

/** The first thing it said, without addresses of its memory. */
function said(stderr: string): string {
  const lines = stderr.split('\n').map((line) => line.replace(/^(\[[^\]]*\] ?)+/, '').replaceAll(/(file:)?\/dev\/fd\/\d+/g, 'the file'))
  const first = lines.find((line) => line.trim() !== '') ?? 'nothing'
  return first
    .trim()
    .slice(0, maxSaidLength)
    .replace(/[.:]+$/, '')
    .toWellFormed()
}
