import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createFileRoot } from '@sidelinja/jobs-kit'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { loadClassifier } from './load-classifier.ts'

const base = await mkdtemp(join(tmpdir(), 'user-agents-'))
const logs = createFileRoot({ root: base, name: 'LOG_ROOT' })
const folder = join(base, 'lists')
afterAll(() => rm(base, { recursive: true }))
beforeEach(async () => {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder)
})

const slow: string[] = []
const load = () => loadClassifier(logs, 'lists', (name) => slow.push(name))
const write = (name: string, content: unknown) =>
  writeFile(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))
const entries = (...pairs: [string, string, string?][]) => ({
  entries: pairs.map(([name, pattern, category]) => ({ name, pattern, ...(category && { category }) })),
})

test('without a folder: the built-in tables', async () => {
  const classify = await loadClassifier(logs, undefined, () => {})
  expect(classify('AntennaPod/3.4.0')).toEqual({ app: 'AntennaPod', kind: 'app' })
})

test('group by group the list goes before the built-in table, and what it does not know the table does', async () => {
  await write('bots.runtime.json', entries(['Snooper', 'Snoop']))
  await write(
    'apps.runtime.json',
    entries(['AntennaPod for Android', '^AntennaPod/'], ['Snooper app', '^SnoopApp/'], ['Robot app', 'Googlebot']),
  )
  await write('libraries.runtime.json', entries(['Fetcher', '^Fetcher/', 'bot'], ['Player', '^Player/', 'library']))
  await write('browsers.runtime.json', entries(['Any browser', 'Mozilla']))
  await write('devices.runtime.json', 'not even read')
  const classify = await load()
  expect(classify('AntennaPod/3.4.0')).toEqual({ app: 'AntennaPod for Android', kind: 'app' })
  expect(classify('SnoopApp/1')).toEqual({ app: 'Snooper', kind: 'bot' })
  expect(classify('Fetcher/1')).toEqual({ app: 'Fetcher', kind: 'bot' })
  expect(classify('Player/1')).toEqual({ app: 'Player', kind: 'library' })
  // The built-in bots come before the list's apps, and the built-in apps before its browsers.
  expect(classify('Mozilla/5.0 (compatible; Googlebot/2.1)')).toEqual({ app: 'Googlebot', kind: 'bot' })
  expect(classify('NRK Radio/7 Mozilla')).toEqual({ app: 'NRK Radio', kind: 'app' })
  expect(classify('Mozilla/5.0 Firefox/133.0')).toEqual({ app: 'Any browser', kind: 'browser' })
  expect(classify('Podcasts (null)/(null) watchOS/10.1')).toEqual({ app: 'Apple Watch', kind: 'watch' })
  expect(classify('nothing known')).toEqual({ app: 'unknown', kind: 'unknown' })
  expect(classify(undefined)).toEqual({ app: 'unknown', kind: 'unknown' })
})

test('keys of the full format are ignored', async () => {
  await write('apps.runtime.json', { entries: [{ name: 'A', pattern: '^A/', urls: ['https://a.example'], examples: ['A/1'] }], version: 2 })
  expect((await load())('A/1').app).toBe('A')
})

test.each([
  ['it is not JSON', 'no json {'],
  ['expected {"entries": […]}', []],
  ['expected {"entries": […]}', { entries: {} }],
  ['expected {"entries": […]}', { entries: Array(5001).fill({ name: 'a', pattern: 'a' }) }],
  ['entry 2 ("B"): pattern', { entries: [{ name: 'A', pattern: 'a' }, { name: 'B' }] }],
  ['entry 1: name', { entries: [{ pattern: 'a' }] }],
  ['entry 1 (7): name', { entries: [{ name: 7, pattern: 'a' }] }],
  ['entry 1: Invalid input', { entries: ['text'] }],
  ['entry 1 ("A"): its pattern is no regular expression', { entries: [{ name: 'A', pattern: '(' }] }],
  ['entry 1 ("A"): pattern', { entries: [{ name: 'A', pattern: 'a'.repeat(2001) }] }],
  ['entry 1 ("A"): pattern', { entries: [{ name: 'A', pattern: '' }] }],
])('a bad list is a permanent error that names the entry: %s', async (problem, content) => {
  await write('bots.runtime.json', entries(['Fine', 'fine']))
  await write('apps.runtime.json', content)
  await expect(load()).rejects.toMatchObject({
    kind: 'permanent',
    code: 'USER_AGENT_LIST_INVALID',
    message: expect.stringContaining(`"lists/apps.runtime.json" cannot be used: ${problem}`),
  })
})

test('a file that is too large is not read', async () => {
  await write('apps.runtime.json', ' '.repeat(2 * 1024 * 1024 + 1))
  await expect(load()).rejects.toMatchObject({ kind: 'permanent', code: 'USER_AGENT_LIST_INVALID' })
})

test('a folder without a list, and none at all', async () => {
  await write('something.json', entries(['A', 'a']))
  await expect(load()).rejects.toMatchObject({ kind: 'permanent', code: 'USER_AGENT_LIST_MISSING' })
  await expect(loadClassifier(logs, 'nowhere', () => {})).rejects.toMatchObject({ kind: 'permanent', code: 'FILE_MISSING' })
  await expect(loadClassifier(logs, '../lists', () => {})).rejects.toMatchObject({ kind: 'permanent', code: 'FILE_PATH_TRAVERSAL' })
})

test('a pattern that would take for ever is stopped, left out and said, once; the others go on', async () => {
  slow.length = 0
  await write('apps.runtime.json', entries(['Catastrophe', '^(a+)+$'], ['Another', '^(a|aa)+$'], ['Fine', '^a+b$']))
  const classify = await load()
  const before = process.cpuUsage()
  expect(classify(`${'a'.repeat(60)}b`)).toEqual({ app: 'Fine', kind: 'app' })
  expect(slow).toEqual(['Catastrophe', 'Another'])
  for (let n = 61; n < 100; n++) expect(classify(`${'a'.repeat(n)}b`).app).toBe('Fine')
  expect(slow).toHaveLength(2)
  expect(process.cpuUsage(before).user / 1_000).toBeLessThan(2_000)
})
