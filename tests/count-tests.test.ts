import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from './support/temporary-folder.ts'
import { root } from './support/workspace.ts'

// .ci/run believes this count, so a red run must not look green.

const file = (...statuses: string[]) => ({
  name: join(root, 'some.test.ts'),
  status: statuses.includes('failed') ? 'failed' : 'passed',
  assertionResults: statuses.map((status) => ({
    status,
    fullName: 'it works',
    failureMessages: status === 'failed' ? ['Error: no\n at'] : [],
  })),
})
const unloadable = { name: join(root, 'other.test.ts'), status: 'failed', message: 'SyntaxError: what', assertionResults: [] }

test.each([
  ['all passed', { testResults: [file('passed', 'passed'), file('passed')] }, '3 passed, 0 failed', 0],
  ['one failed', { testResults: [file('passed', 'failed')] }, '1 passed, 1 failed', 1],
  ['a file that cannot be loaded', { testResults: [file('passed'), unloadable] }, '1 passed, 1 failed', 1],
  ['one not run', { testResults: [file('passed', 'skipped')] }, '1 passed, 0 failed', 1],
  ['no test', { testResults: [] }, '0 passed, 0 failed', 1],
  ['no report', undefined, '0 passed, 0 failed', 1],
])('%s', async (_name, report, lastLine, status) => {
  const folder = await temporaryFolder(report ? { 'report.json': JSON.stringify(report) } : {})
  const result = spawnSync(process.execPath, [join(root, 'scripts/count-tests.mjs'), join(folder, 'report.json')], { encoding: 'utf8' })
  expect(result.stdout.trimEnd().split('\n').at(-1)).toBe(lastLine)
  expect(result.status).toBe(status)
})

test('what failed is named at the end, where the end of a long log is all that is seen', async () => {
  const folder = await temporaryFolder({ 'report.json': JSON.stringify({ testResults: [file('passed', 'failed'), unloadable] }) })
  const result = spawnSync(process.execPath, ['scripts/count-tests.mjs', join(folder, 'report.json')], { encoding: 'utf8', cwd: root })
  expect(result.stdout.trimEnd().split('\n')).toEqual([
    'failed: some.test.ts: it works: Error: no',
    'failed: other.test.ts: SyntaxError: what',
    '1 passed, 2 failed',
  ])
})

test('of several reports each counts, and one without tests fails them all', async () => {
  const [good, bad] = [JSON.stringify({ testResults: [file('passed', 'passed')] }), JSON.stringify({ testResults: [] })]
  const folder = await temporaryFolder({ 'first.json': good, 'second.json': good, 'empty.json': bad })
  const run = (...names: string[]) => {
    const paths = names.map((name) => join(folder, name))
    const { stdout, status } = spawnSync(process.execPath, [join(root, 'scripts/count-tests.mjs'), ...paths], { encoding: 'utf8' })
    return [stdout.trimEnd().split('\n').at(-1), status]
  }
  expect(run('first.json', 'second.json')).toEqual(['4 passed, 0 failed', 0])
  expect(run('first.json', 'empty.json')).toEqual(['2 passed, 0 failed', 1])
  expect(run('first.json', 'missing.json')).toEqual(['2 passed, 0 failed', 1])
})
