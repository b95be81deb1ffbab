import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { explain, isStale } from '../scripts/lib/install.mjs'
import { checkMachine } from '../scripts/lib/machine.mjs'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sidelinja-launcher-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('the machine', () => {
  const machine = (platform: string, arch: string, node: string) => ({ platform, arch, versions: { node } })

  test.each([
    ['linux', 'x64', '20.0.0'],
    ['linux', 'arm64', '26.1.0'],
    ['darwin', 'arm64', '22.18.0'],
    ['win32', 'x64', '24.0.0'],
  ])('%s-%s with Node %s can run it', (platform, arch, node) => checkMachine(machine(platform, arch, node), false))

  test.each([
    ['linux', 'x64', '18.20.0', 'Node 20.0 or newer is needed on linux-x64, and this is Node 18.20.0'],
    ['darwin', 'arm64', '20.9.0', 'Node 22.18 or newer is needed'],
    ['linux', 's390x', '22.17.1', 'Node 22.18 or newer is needed on linux-s390x'],
  ])('%s-%s with Node %s cannot', (platform, arch, node, words) => {
    expect(() => checkMachine(machine(platform, arch, node), false)).toThrow(words)
  })

  test('a system without glibc cannot', () => expect(() => checkMachine(machine('linux', 'x64', '24.0.0'), true)).toThrow('glibc'))
})

describe('the installation', () => {
  test('is stale when node_modules is missing or older than the lockfile', async () => {
    const [lockfile, marker] = [join(folder, 'pnpm-lock.yaml'), join(folder, 'node_modules/.modules.yaml')]
    await writeFile(lockfile, '')
    expect(isStale(folder)).toBe(true)
    await mkdir(join(folder, 'node_modules'))
    expect(isStale(folder)).toBe(true)
    await writeFile(marker, '')
    expect(isStale(folder)).toBe(false)
    await utimes(marker, 1, 1)
    expect(isStale(folder)).toBe(true)
  })

  test.each([
    ['ENOENT', '', 'npx was not found'],
    ['SIGINT', '', 'interrupted'],
    [1, 'npm error code ENOTFOUND', 'the package registry cannot be reached'],
    [1, 'error sending request for url', 'the package registry cannot be reached'],
    [1, 'ENOSPC: no space left on device, write', 'The disk is full'],
    [1, "EACCES: permission denied, mkdir 'node_modules'", "cannot be written: EACCES: permission denied, mkdir 'node_modules'"],
    [1, 'ERR_PNPM_OUTDATED_LOCKFILE', 'could not be installed (1):\nERR_PNPM_OUTDATED_LOCKFILE'],
  ])('a failure (%s, %j) is explained', (code, output, words) => {
    expect(explain(code, output)).toMatchObject({ expected: true, message: expect.stringContaining(words) })
  })
})

describe('handing over', () => {
  test.each([
    ['process.exitCode = 7', 7],
    ["process.kill(process.pid, 'SIGKILL')", 137],
  ])('%s ends the launcher with %d', async (program, code) => {
    const launcher = await launch(program)
    expect(await launcher.exited).toBe(code)
  })

  test('a signal that comes twice at once is passed on once', async () => {
    const launcher = await launch(waiting)
    await launcher.seen('ready')
    launcher.child.kill('SIGINT')
    launcher.child.kill('SIGINT')
    expect(await launcher.exited).toBe(0)
    expect(launcher.output()).toBe('ready\nSIGINT\nstopped\n')
  })

  test('a launcher that is killed takes its program with it', async () => {
    const launcher = await launch(waiting)
    await launcher.seen('ready')
    launcher.child.kill('SIGKILL')
    // The program has the launcher's stdout: it closes when both are gone.
    await launcher.exited
    expect(launcher.output()).toBe('ready\nSIGTERM\nstopped\n')
  })
})

/** Ends a moment after its first signal, so that a second one would show. */
const waiting = `
  const alive = setInterval(() => {}, 1000)
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {
    console.log(signal)
    setTimeout(() => { console.log('stopped'); process.exit(0) }, 100)
  })
  console.log('ready')`

async function launch(program: string) {
  const file = join(folder, 'program.mjs')
  await writeFile(file, program)
  const lib = join(import.meta.dirname, '../scripts/lib')
  const code = `
    import { handOver } from ${JSON.stringify(join(lib, 'hand-over.mjs'))}
    process.exitCode = await handOver(process.execPath, [${JSON.stringify(join(lib, 'follow-launcher.mjs'))}, ${JSON.stringify(file)}], '.')`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.on('data', (text) => {
    output += text
    child.emit('output')
  })
  return {
    child,
    output: () => output,
    exited: once(child, 'close').then(([exitCode]) => exitCode),
    async seen(text: string) {
      while (!output.includes(text)) await once(child, 'output')
    },
  }
}
