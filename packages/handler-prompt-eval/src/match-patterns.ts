import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

/** Whether each pattern that anybody wrote occurs in a text that anybody wrote, by pattern; undefined where that takes too long to say. */
export type MatchPatterns = (
  patterns: readonly string[],
  text: string,
  signal: AbortSignal,
) => Promise<ReadonlyMap<string, boolean | undefined>>

/** A pattern can be written so that it takes hours on one text. */
const mostMs = 100
/** For what no clock of V8 stops: a pattern that is compiled. Long enough for a process to start on a machine that is busy. */
const silentMs = 4_000

/** Of the processor, for all patterns of a cell: a worker that is killed ends nobody, and the process must end all the same. */
const underLimit = 'ulimit -t 30 && exec "$@"'

/** Looks for one pattern after the other, and says of each at once what it found: whatever the next one does, that is known. */
const program = `
const vm = require('node:vm')
const script = new vm.Script('new RegExp(pattern).test(text)')
const { patterns, text } = JSON.parse(require('node:fs').readFileSync(0, 'utf8'))
for (const pattern of patterns) {
  let found = null
  try {
    const context = vm.createContext(Object.assign(Object.create(null), { pattern, text }), { codeGeneration: { strings: false, wasm: false } })
    found = script.runInContext(context, { timeout: ${mostMs} }) === true
  } catch {}
  require('node:fs').writeSync(1, found + '\\n')
}`

/**
 * Makes what looks for patterns, in a process of its own that can be ended: V8 stops a search at its time, but not the compiling of a pattern, which doubles with each of its letters where it was made to.
 * One that had to be ended for is not tried again.
 */
export function createPatternMatcher(): MatchPatterns {
  const endless = new Set<string>()
  return async (patterns, text, signal) => {
    const found = new Map<string, boolean | undefined>()
    let left = unknownOf(patterns, found, endless)
    while (left.length > 0) {
      const said = await look(left, text, signal)
      signal.throwIfAborted()
      for (const [at, each] of said.entries()) found.set(left[at] as string, each)
      if (said.length < left.length) endless.add(left[said.length] as string)
      left = unknownOf(patterns, found, endless)
    }
    return found
  }
}

function unknownOf(patterns: readonly string[], found: ReadonlyMap<string, unknown>, endless: ReadonlySet<string>): string[] {
  return [...new Set(patterns)].filter((pattern) => !found.has(pattern) && !endless.has(pattern))
}

/** What was said of the first so many, until all were looked for or nothing more was said. */
async function look(patterns: readonly string[], text: string, signal: AbortSignal): Promise<(boolean | undefined)[]> {
  const child = spawn('/bin/sh', ['-c', underLimit, 'sh', process.execPath, '-e', program], {
    env: {},
    stdio: ['pipe', 'pipe', 'ignore'],
    signal,
    killSignal: 'SIGKILL',
  })
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()).on('error', () => resolve()))
  const timer = setTimeout(() => child.kill('SIGKILL'), silentMs)
  const said: (boolean | undefined)[] = []
  createInterface({ input: child.stdout }).on('line', (line) => {
    timer.refresh()
    said.push(line === 'null' ? undefined : line === 'true')
  })
  // It may be gone before it has read everything.
  child.stdin.on('error', () => {})
  child.stdin.end(JSON.stringify({ patterns, text }))
  await ended
  clearTimeout(timer)
  return said
}
