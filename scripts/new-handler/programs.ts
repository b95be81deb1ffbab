import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { Refusal } from './refusal.ts'

/** The form that the repository's check demands: a long name breaks lines and sorts imports in another way than a short one. */
export async function tidy(root: string, folder: string): Promise<void> {
  const { code, output } = await run(root, 'biome', ['check', '--write', folder])
  if (code !== 0) throw new Refusal(`The package is written, but biome has something against it; see npm run lint:\n${output.trim()}`)
}

/** Everything the package depends on is here already, so that the network is asked only where it is not. */
export async function install(root: string): Promise<void> {
  const offline = await run(root, 'pnpm', ['install', '--offline', '--no-frozen-lockfile', '--reporter=append-only'])
  if (offline.code === 0) return
  const { code, output } = await run(root, 'pnpm', ['install', '--prefer-offline', '--no-frozen-lockfile', '--reporter=append-only'])
  if (code === 0) return
  const end = output.trim().split('\n').slice(-10).join('\n')
  throw new Refusal(`The package is written, but pnpm install failed; run npx pnpm install when this is mended:\n${end}`)
}

function run(root: string, program: string, args: string[]): Promise<{ code: number | null; output: string }> {
  const child = spawn(join(root, 'node_modules/.bin', program), args, {
    cwd: root,
    // No questions.
    env: { ...process.env, CI: 'true' },
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, output }))
  })
}
