import type { PlaygroundOptions } from './options.ts'

export type Print = (line: string) => void

export interface PlaygroundRun extends Omit<PlaygroundOptions, 'help'> {
  databaseUrl: string | undefined
  /** Aborts when it is time to stop. */
  signal: AbortSignal
  print: Print
}
