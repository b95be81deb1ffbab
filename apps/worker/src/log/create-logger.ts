import { type DestinationStream, type Logger, pino } from 'pino'
import type { LogLevel } from '../options/settings.ts'

/** JSON lines on stdout: `time` (ISO), `level` (word), `build`, `msg` and the event's fields. */
export function createLogger(build: string, level: LogLevel, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: { build },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  }
  return destination ? pino(options, destination) : pino(options)
}
