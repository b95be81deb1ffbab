import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { vi } from 'vitest'

export interface WorkerProcess {
  child: ChildProcess
  /** Every log line so far. */
  lines: Record<string, unknown>[]
  output(): string
  errors(): string
  /** Resolves with the first log line of the event. */
  seen(event: string): Promise<Record<string, unknown>>
  /** The exit code; a signal's name when one ended it. */
  exited: Promise<number | string>
}

const mainFile = join(import.meta.dirname, 'fixtures/main.ts')
/** Ends the worker when this process is gone, however that ended: an interrupted test run leaves nothing behind. */
const follow = join(import.meta.dirname, '../../../scripts/lib/follow-launcher.mjs')

/** Runs a worker build from source as a process of its own, with just these environment variables. */
export function spawnWorker(args: string[], env: Record<string, string> = {}, main = mainFile): WorkerProcess {
  const child = spawn(process.execPath, ['--conditions=@sidelinja/source', follow, main, ...args], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const lines: Record<string, unknown>[] = []
  let output = ''
  let errors = ''
  let rest = ''
  child.stdout?.on('data', (text) => {
    output += text
    const parts = (rest + text).split('\n')
    rest = parts.pop() ?? ''
    for (const part of parts) if (part.startsWith('{')) lines.push(JSON.parse(part))
  })
  child.stderr?.on('data', (text) => {
    errors += text
  })
  return {
    child,
    lines,
    output: () => output,
    errors: () => errors,
    seen: (event) =>
      vi.waitFor(
        () => {
          const line = lines.find((each) => each.event === event)
          if (!line) throw new Error(`No log line ${event} in:\n${output}${errors}`)
          return line
        },
        { timeout: 20_000, interval: 10 },
      ),
    exited: new Promise((resolve) => child.once('close', (code, signal) => resolve(code ?? signal ?? 'unknown'))),
  }
}
