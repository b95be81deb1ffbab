import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { temporaryFolder } from './support/temporary-folder.ts'
import { root } from './support/workspace.ts'

test('the chaos program leaves nothing behind when it is interrupted', async () => {
  const folder = await temporaryFolder()
  // biome-ignore lint/style/noProcessEnv: passed on to the child
  const env = { ...process.env, TMPDIR: folder }
  const args = ['--conditions=@sidelinja/source', 'tests/chaos/main.ts', '--short', '--only', 'rolling', '--seed', '1']
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: 'ignore' })
  const ended = new Promise((resolve) => child.once('close', (code, signal) => resolve(code ?? signal)))
  await vi.waitFor(() => expect(workersOf(folder)).toBeGreaterThan(0), { timeout: 60_000, interval: 50 })
  expect(processesOf(folder)).toBeGreaterThan(1)
  child.kill('SIGINT')
  expect(await ended).toBe(130)
  expect(readdirSync(folder).filter((name) => name.startsWith('sidelinja'))).toEqual([])
  expect(processesOf(folder)).toBe(0)
})

/** Workers that have written something down. */
function workersOf(folder: string): number {
  const logs = readdirSync(folder).map((name) => join(folder, name, 'rolling/p1.events'))
  return logs.filter((file) => existsSync(file) && statSync(file).size > 0).length
}

/** Processes that name the folder in their arguments: workers by their log, PostgreSQL by its data. */
function processesOf(folder: string): number {
  const ids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return ids.filter((id) => commandLine(id).includes(folder)).length
}

function commandLine(id: string): string {
  try {
    return readFileSync(`/proc/${id}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}
