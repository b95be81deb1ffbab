import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { delimiter, join } from 'node:path'

/** One Ctrl-C reaches us twice: from the terminal, and from npm, which passes it on. */
const SAME_SIGNAL_MS = 500
const PARENT_CHECK_MS = 250
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP']

/**
 * Runs the program until it ends and returns its exit code. Signals are passed on, once each; if this process is killed, or npm
 * above it, the program is told to stop (see follow-launcher.mjs).
 */
export async function handOver(node, args, root) {
  const bin = join(root, 'node_modules/.bin')
  const child = spawn(node, args, {
    cwd: root,
    env: { ...process.env, PATH: bin + delimiter + process.env.PATH, TURBO_TELEMETRY_DISABLED: '1' },
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    // Out of the terminal's reach, so that Ctrl-C comes through us only.
    detached: process.platform !== 'win32',
  })
  // A terminal that was closed: the program is to stop as it would for a SIGTERM.
  const pass = once((signal) => child.kill(signal === 'SIGHUP' ? 'SIGTERM' : signal))
  for (const signal of SIGNALS) process.on(signal, pass)
  const watch = watchParent(() => child.kill('SIGTERM'))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal]))
  }).finally(() => clearInterval(watch))
}

function once(pass) {
  let last = Number.NEGATIVE_INFINITY
  return (signal) => {
    const now = performance.now()
    if (now - last > SAME_SIGNAL_MS) pass(signal)
    last = now
  }
}

/** npm waits for us, so an npm that is gone was killed. Without npm above us the parent may end as it likes. */
function watchParent(stop) {
  const parent = process.ppid
  if (!process.env.npm_lifecycle_event) return undefined
  return setInterval(() => {
    if (process.ppid !== parent) stop()
  }, PARENT_CHECK_MS)
}
