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
/** For what no clock of V8 stops: a pattern that is compiled. */
const silentMs = 5_000
/** For the process to start, on a machine that is busy. */
const startMs = 30_000

/** Of the processor, for all patterns of a cell: a worker that is killed ends nobody, and the process must end all the same. */
const underLimit = 'ulimit -t 30 && exec "$@"'

/**
 * Looks for one pattern after the other, and says of each at once what it found: whatever the next one does, that is known. The clock is that of the wall: a pattern that had no turn on a busy machine
 * meanwhile was not too slow, and has another one.
 */
const program = `
const vm = require('node:vm')
const fs = require('node:fs')
const script = new vm.Script('new RegExp(pattern).test(text)')
const { patterns, text } = JSON.parse(fs.readFileSync(0, 'utf8'))
const say = (word) => fs.writeSync(1, word + '\\n')
const look = (pattern) => {
  const context = vm.createContext(Object.assign(Object.create(null), { pattern, text }), { codeGeneration: { strings: false, wasm: false } })
  const before = process.cpuUsage().user
  try {
    return script.runInContext(context, { timeout: ${mostMs} }) === true
  } catch (error) {
    return error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT' && process.cpuUsage().user - before < ${mostMs * 500} ? undefined : null
  }
}
say('begun')
for (const pattern of patterns) {
  let found
  for (let turn = 0; turn < 10 && found === undefined; turn++) found = look(pattern)
  say(found ?? null)
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
  let timer = setTimeout(() => child.kill('SIGKILL'), startMs)
  const said: (boolean | undefined)[] = []
  createInterface({ input: child.stdout }).on('line', (line) => {
    clearTimeout(timer)
    timer = setTimeout(() => child.kill('SIGKILL'), silentMs)
    if (line !== 'begun') said.push(line === 'null' ? undefined : line === 'true')
  })
  // It may be gone before it has read everything.
  child.stdin.on('error', () => {})
  child.stdin.end(JSON.stringify({ patterns, text }))
  await ended
  clearTimeout(timer)
  return said
}
