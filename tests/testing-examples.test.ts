import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, inject, test } from 'vitest'
import { repositoryFiles, root } from './support/workspace.ts'

// The examples of docs/testing.md are test files. Each runner really runs its own, and every test must pass.

const run = promisify(execFile)
const options = () => ({ cwd: root, timeout: 100_000, env: { DATABASE_URL: inject('server').connectionString } })
const conditions = '--conditions=@sidelinja/source'

describe('examples of tests', () => {
  test('each belongs to a runner', () => {
    const files = repositoryFiles().filter((file) => /^examples\/.*\.test\.ts$/.test(file))
    expect(files.filter((file) => !/^examples\/testing\/(node-test|vitest)\//.test(file))).toEqual([])
    expect(files.length).toBeGreaterThanOrEqual(2)
  })

  test('node:test', async () => {
    const folder = join(root, 'examples/testing/node-test')
    const args = [conditions, '--test', '--test-reporter=tap', `--test-global-setup=${join(folder, 'global-setup.ts')}`]
    const { stdout } = await run(process.execPath, [...args, join(folder, '*.test.ts')], options())
    expect(stdout).toMatch(/^# pass 5$/m)
    expect(stdout).toMatch(/^# fail 0$/m)
  })

  test('vitest', async () => {
    const config = join(root, 'tests/support/vitest-example.config.ts')
    const args = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', `--config=${config}`, '--reporter=tap-flat']
    const { stdout } = await run(process.execPath, args, options())
    expect(stdout.match(/^ok \d/gm)).toHaveLength(2)
    expect(stdout).not.toMatch(/^not ok/m)
  })
})
