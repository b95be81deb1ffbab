import { execFile } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import type { Obstacle } from '../web-page.ts'

/** What reading one PDF may take. */
export interface PdfLimits {
  /** Default `pdftotext`, looked up in PATH. */
  readonly programPath: string
  readonly timeoutMs: number
  readonly memoryMb: number
  readonly maxPages: number
  readonly maxCharacters: number
}

/** The text of a PDF, or why there is none. */
export interface ReadPdf {
  readonly text: string
  readonly cutCharacters: number
  readonly obstacle: Extract<Obstacle, 'no_pdf_reader' | 'unreadable'> | null
}

const nothing = { text: '', cutCharacters: 0 }
/**
 * The shell only sets the limits and becomes the program: what is run with which arguments stands here, and nothing of the page does. That of time outlives a worker that is killed: nobody else ends
 * its program then.
 */
const underLimit = 'ulimit -v "$1" && ulimit -t "$2" && shift 2 && exec "$@"'
const cannotBeRun = [126, 127]

/**
 * Reads a PDF's text with poppler's pdftotext, which gets the bytes on its standard input and ends with this call: by itself, by the time limit, or by the signal. Its memory is limited as well.
 * @throws the signal's reason, when it aborts.
 */
export async function readPdf(bytes: Uint8Array, limits: PdfLimits, signal: AbortSignal): Promise<ReadPdf> {
  signal.throwIfAborted()
  const { stdout, exitCode, cut } = await run(bytes, limits, signal)
  signal.throwIfAborted()
  if (exitCode !== null && cannotBeRun.includes(exitCode)) return { ...nothing, obstacle: 'no_pdf_reader' }
  if (exitCode !== 0 && !cut) return { ...nothing, obstacle: 'unreadable' }
  const text = paragraphsOf(stdout)
  const kept = text.slice(0, limits.maxCharacters).toWellFormed()
  return { text: kept, cutCharacters: text.length - kept.length, obstacle: null }
}

interface Ended {
  readonly stdout: string
  /** Null where it was killed. */
  readonly exitCode: number | null
  /** It said more than is kept, and was ended for that. */
  readonly cut: boolean
}

function run(
  bytes: Uint8Array,
  { programPath, timeoutMs, memoryMb, maxPages, maxCharacters }: PdfLimits,
  signal: AbortSignal,
): Promise<Ended> {
  const program = [programPath, '-q', '-layout', '-enc', 'UTF-8', '-l', String(maxPages), '-', '-']
  const bounds = [String(memoryMb * 1024), String(Math.ceil(timeoutMs / 1_000))]
  // Columns are kept apart by blanks: some ten signs for each that is kept.
  const options = { timeout: timeoutMs, signal, killSignal: 'SIGKILL', maxBuffer: maxCharacters * 10, encoding: 'utf8' } as const
  return new Promise((resolve) => {
    const child = execFile('/bin/sh', ['-c', underLimit, 'sh', ...bounds, ...program], options, (error, stdout) => {
      const code = error?.code ?? (error?.killed ? null : 0)
      resolve({ stdout, exitCode: typeof code === 'number' ? code : null, cut: code === ('ERR_CHILD_PROCESS_STDIO_MAXBUFFER' as unknown) })
    })
    // It may have ended before it has read everything.
    child.stdin?.on('error', () => {})
    child.stdin?.end(bytes)
    lowerPriority(child.pid)
  })
}

/** What somebody listens to on this machine goes first. */
function lowerPriority(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // It has ended already.
  }
}

/** Lines that belong together are one; pages are paragraphs apart. */
function paragraphsOf(laidOut: string): string {
  return laidOut
    .split(/\n[ \t]*\n|\f/)
    .map((paragraph) => paragraph.replace(/\s+/g, ' ').trim())
    .filter((paragraph) => paragraph !== '')
    .join('\n\n')
}
