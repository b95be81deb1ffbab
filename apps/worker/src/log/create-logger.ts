import { type DestinationStream, type Logger, pino } from 'pino'
import type { LogLevel } from '../options/settings.ts'
import { stdout } from './stdout.ts'

/** JSON lines on stdout: `time` (ISO), `level` (word), `build`, `msg` and the event's fields. */
export function createLogger(build: string, level: LogLevel, destination: DestinationStream = stdout): Logger {
  const options = {
    level,
    base: { build },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  }
  return pino(options, destination)
}
