import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { trueNow } from '../history/process-log.ts'
import type { ProcessOptions } from '../process/options.ts'

export interface ChaosProcess {
  readonly pid: number
  /** Resolves when the worker takes jobs, or has ended. */
  readonly ready: Promise<void>
  /** True from then on. */
  isReady(): boolean
  /** True until it was told to end. */
  goesOn(): boolean
  /** Resolves when the process has ended. */
  readonly ended: Promise<Ending>
  hasEnded(): boolean
  /** Sends a signal. From a SIGKILL or SIGTERM on the end of the process is no surprise. */
  signal(name: NodeJS.Signals): void
  /** Its end is no surprise: it will kill itself, or has one thing to do. */
  mayEnd(): void
}

interface Ending {
  code: number | null
  signal: NodeJS.Signals | null
}

/** The processes of one fault. */
export interface Processes {
  start(options: ProcessOptions): ChaosProcess
  /** Workers that are meant to go on, those that still start included. */
  workers(): ChaosProcess[]
  /** Those of them that take jobs. */
  readyWorkers(): ChaosProcess[]
  /** What ended without having been told to. */
  readonly surprises: readonly string[]
  /** Processes that were killed, or were stopped, and when. */
  readonly silences: { pid: number; at: number }[]
  /** Kills every one that is left and waits for its end. */
  killAll(): Promise<void>
}

const main = fileURLToPath(new URL('../process/main.ts', import.meta.url))
const preload = new URL('../process/preload.ts', import.meta.url)

export function createProcesses(): Processes {
  const running = new Set<ChaosProcess>()
  const workers = () => [...running].filter((child) => child.goesOn())
  const surprises: string[] = []
  const silences: { pid: number; at: number }[] = []
  return {
    surprises,
    silences,
    workers,
    readyWorkers: () => workers().filter((child) => child.isReady()),
    start(options) {
      const text = JSON.stringify(options)
      const first = `--import=${preload.href}?options=${encodeURIComponent(text)}`
      const args = ['--conditions=@sidelinja/source', first, main, text]
      const child = follow(spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'pipe'] }), { surprises, silences })
      running.add(child)
      void child.ended.then(() => running.delete(child))
      return child
    },
    async killAll() {
      const left = [...running]
      for (const child of left) child.signal('SIGKILL')
      await Promise.all(left.map(({ ended }) => ended))
    },
  }
}

const silencing = new Set<NodeJS.Signals>(['SIGKILL', 'SIGSTOP'])

function follow(
  child: ChildProcess,
  { surprises, silences }: { surprises: string[]; silences: { pid: number; at: number }[] },
): ChaosProcess {
  const pid = child.pid ?? -1
  const ready = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<Ending>()
  let isReady = false
  let expected = false
  let output = ''
  child.stdout?.once('data', () => {
    isReady = true
    ready.resolve()
  })
  child.stderr?.on('data', (text) => {
    output = (output + text).slice(-2_000)
  })
  child.once('close', (code, signal) => {
    isReady = false
    if (!expected || (code !== null && code !== 0)) surprises.push(`process ${pid} ended by itself (${code ?? signal}) ${output}`)
    ready.resolve()
    ended.resolve({ code, signal })
  })
  return {
    pid,
    ready: ready.promise,
    isReady: () => isReady,
    goesOn: () => !expected,
    ended: ended.promise,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    signal(name) {
      if (silencing.has(name)) silences.push({ pid, at: trueNow() })
      if (name === 'SIGKILL' || name === 'SIGTERM') expected = true
      child.kill(name)
    },
    mayEnd() {
      expected = true
    },
  }
}
