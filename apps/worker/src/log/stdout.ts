const FLUSH_LIMIT_MS = 1_000

/**
 * The log's way out. Not pino's own: that one waits for ever at exit when nobody reads the pipe any more. A reader that is gone or
 * slow costs lines, never the worker.
 */
export const stdout = { write: (line: string): unknown => process.stdout.write(line) }

/** Keeps the process alive when the reader of stdout is gone. Call once. */
export function surviveClosedStdout(): void {
  process.stdout.on('error', () => {})
}

/** Ends the process when what was written is out, or after a second. */
export function exitWhenWritten(code: number): void {
  const exit = () => process.exit(code)
  setTimeout(exit, FLUSH_LIMIT_MS)
  process.stdout.write('', exit)
}
