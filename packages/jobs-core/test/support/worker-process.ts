import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { WorkerEvent, WorkerOptions } from '../../src/worker/index.ts'

export interface WorkerProcess {
  readonly pid: number
  readonly events: readonly WorkerEvent[]
  /** Resolves with the first event of this name that fits, also one that came before. */
  event(name: WorkerEvent['name'], fits?: (event: WorkerEvent) => boolean): Promise<WorkerEvent>
  /** Ends the oldest `t_wait` job: `ok`, or `throw`. */
  tell(line: 'ok' | 'throw'): void
  signal(name: NodeJS.Signals): void
  /** Resolves when the process has ended. */
  readonly ended: Promise<void>
}

const script = fileURLToPath(new URL('../fixtures/worker-process.ts', import.meta.url))
const running = new Set<ChildProcess>()

/** Starts a worker in a process of its own. End them all with {@link killProcesses}. */
export async function startProcess(
  connection: string,
  options: Partial<WorkerOptions> & { clockShiftMs?: number } = {},
  nodeOptions: readonly string[] = [],
): Promise<WorkerProcess> {
  const child = spawn(
    process.execPath,
    ['--conditions=@sidelinja/source', ...nodeOptions, script, JSON.stringify({ connection, ...options })],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  )
  running.add(child)
  const events: WorkerEvent[] = []
  const listeners = new Set<() => void>()
  createInterface({ input: child.stdout }).on('line', (line) => {
    events.push(JSON.parse(line))
    for (const listener of listeners) listener()
  })
  const ended = new Promise<void>((resolve) => {
    child.on('close', () => {
      running.delete(child)
      resolve()
    })
  })
  const event: WorkerProcess['event'] = (name, fits = () => true) =>
    new Promise((resolve) => {
      const look = () => {
        const found = events.find((candidate) => candidate.name === name && fits(candidate))
        if (found) resolve(found)
      }
      listeners.add(look)
      look()
    })
  await event('worker.started')
  return {
    ...{ pid: child.pid ?? 0, events, event, ended },
    tell: (line) => void child.stdin.write(`${line}\n`),
    signal: (name) => void child.kill(name),
  }
}

export async function killProcesses(): Promise<void> {
  const ended = [...running].map((child) => new Promise((resolve) => child.once('close', resolve)))
  for (const child of running) child.kill('SIGKILL')
  await Promise.all(ended)
}
