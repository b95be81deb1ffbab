import type { AudioToolsOptions } from '@sidelinja/jobs-kit'
import type { PlaygroundOptions } from './options.ts'

export type Print = (line: string) => void

export interface PlaygroundRun extends Omit<PlaygroundOptions, 'help'> {
  databaseUrl: string | undefined
  /** Where ffmpeg and ffprobe are. */
  audio: AudioToolsOptions
  /** Aborts when it is time to stop. */
  signal: AbortSignal
  print: Print
}
