import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Print } from '../playground-run.ts'
import { AdminFailedError } from './admin-failed-error.ts'

const program = fileURLToPath(new URL('../../../admin/build.mjs', import.meta.url))

/** Builds the admin page where its source has changed since it was built. */
export function buildPage({ signal, print }: { signal: AbortSignal; print: Print }): Promise<void> {
  const child = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'pipe'], signal })
  let errors = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    // What the tools say beside is of no interest here.
    for (const line of text.split('\n')) if (/^(Building|Built) /.test(line)) print(line)
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) =>
      code === 0 ? resolve() : reject(new AdminFailedError(`${errors.trim()}\nOr go without it: --no-admin.`)),
    )
  })
}
