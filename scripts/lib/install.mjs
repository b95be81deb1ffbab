import { spawn } from 'node:child_process'
import { existsSync, readFileSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { expectedError } from './expected-error.mjs'

/** pnpm writes it last, so it also tells a finished installation from an interrupted one. */
const MARKER = 'node_modules/.modules.yaml'
const STILL_WAITING_MS = 20_000
const RETRIES = ['--config.fetch-retries=2', '--config.fetch-retry-mintimeout=1000', '--config.fetch-retry-maxtimeout=4000']

/** Installs the lockfile's packages with the pinned pnpm when node_modules is missing or older than the lockfile. */
export async function installIfStale(root) {
  if (!isStale(root)) return
  console.log('Installing packages (only when they changed) …')
  const started = Date.now()
  const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  await runInstall(root, packageManager.split('+')[0])
  // An installation that found nothing to do leaves the marker's time alone.
  utimesSync(join(root, MARKER), new Date(), new Date())
  console.log(`Installed in ${((Date.now() - started) / 1000).toFixed(1)} s.`)
}

export function isStale(root) {
  const marker = join(root, MARKER)
  return !existsSync(marker) || statSync(marker).mtimeMs < statSync(join(root, 'pnpm-lock.yaml')).mtimeMs
}

async function runInstall(root, pnpm) {
  const [command, ...prefix] = hasPnpm(root, pnpm) ? [join(root, 'node_modules/.bin/pnpm')] : ['npx', '-y', pnpm]
  const { code, output } = await run(command, [...prefix, 'install', '--frozen-lockfile', '--reporter=append-only', ...RETRIES], root)
  if (code !== 0) throw explain(code, output)
}

/** The project's own pnpm needs neither npx nor the network. */
function hasPnpm(root, pnpm) {
  try {
    return pnpm === `pnpm@${JSON.parse(readFileSync(join(root, 'node_modules/pnpm/package.json'), 'utf8')).version}`
  } catch {
    return false
  }
}

function run(command, args, cwd) {
  // npm, unlike pnpm, takes these from the environment; its own defaults wait more than a minute before they admit defeat.
  const retries = { npm_config_fetch_retries: '2', npm_config_fetch_retry_mintimeout: '1000', npm_config_fetch_retry_maxtimeout: '4000' }
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, ...retries, CI: 'true' },
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text))
  const waiting = setInterval(() => console.log('… still waiting for the package registry.'), STILL_WAITING_MS)
  const forward = (signal) => child.kill(signal)
  process.on('SIGINT', forward).on('SIGTERM', forward)
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ code: error.code, output }))
    child.once('close', (code, signal) => resolve({ code: code ?? signal, output }))
  }).finally(() => {
    clearInterval(waiting)
    process.off('SIGINT', forward).off('SIGTERM', forward)
  })
}

/** What to tell the user about a failed installation: one sentence where the cause is known, else the end of what was said. */
export function explain(code, output) {
  if (code === 'SIGINT' || code === 'SIGTERM' || code === 130 || code === 143)
    return expectedError('The installation was interrupted; run the command again.')
  if (code === 'ENOENT') return expectedError('npx was not found. Install npm (it comes with Node), and run the command again.')
  if (/ENOSPC|no space left/i.test(output))
    return expectedError('The disk is full: the packages need about 1 GB in all. Free some space and run the command again.')
  if (
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|META_FETCH_FAIL|error sending request|dns error|fetch failed/i.test(
      output,
    )
  ) {
    return expectedError(
      'Packages are missing and the package registry cannot be reached. Connect to the network (or set the registry and proxy in .npmrc) and run the command again.',
    )
  }
  if (/EACCES|EROFS|EPERM|permission denied|read-only/i.test(output))
    return expectedError(`The packages cannot be written: ${lastLines(output, 1)}. Give this user write access to the project's folder.`)
  return expectedError(`The packages could not be installed (${code}):\n${lastLines(output, 15)}`)
}

function lastLines(output, count) {
  return output.trim().split('\n').slice(-count).join('\n')
}
