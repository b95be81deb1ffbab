import { type ChildProcess, spawn } from 'node:child_process'
import { afterEach } from 'vitest'
import { root } from './workspace.ts'

export interface Start {
  child: ChildProcess
  output(): string
  errors(): string
  seen(text: string): Promise<void>
  exited: Promise<number | null>
}

/** Starts that end with this process, and after each test at the latest; with a recorded transcript unless `listening`. */
export function useStarts(): (args: string[], env?: Record<string, string>, listening?: boolean) => Start {
  const running: Start[] = []
  afterEach(() => {
    for (const { child } of running.splice(0)) child.kill('SIGKILL')
  })
  return (args, env = {}, listening = false) => {
    const started = start(listening ? args : [...args, '--recorded'], env)
    running.push(started)
    return started
  }
}

/** `npm start`, without npm, but like it. */
function start(args: string[], env: Record<string, string>): Start {
  // biome-ignore lint/style/noProcessEnv: passed on to the child, as npm does
  const { DATABASE_URL: _, ...inherited } = process.env
  const child = spawn(process.execPath, ['scripts/start.mjs', ...args], {
    cwd: root,
    env: { ...inherited, npm_lifecycle_event: 'start', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  let errors = ''
  child.stdout.on('data', (text) => {
    output += text
    child.emit('output')
  })
  child.stderr.on('data', (text) => {
    errors += text
  })
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve))
  return {
    child,
    output: () => output,
    errors: () => errors,
    exited,
    seen: (text) =>
      new Promise((resolve, reject) => {
        const look = () => output.includes(text) && resolve()
        child.on('output', look)
        look()
        void exited.then((code) => reject(new Error(`Ended with ${code} before "${text}":\n${output}${errors}`)))
      }),
  }
}
