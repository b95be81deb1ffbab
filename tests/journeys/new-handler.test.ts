import { readdirSync, readFileSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { copyWorkspace, type WorkspaceCopy } from '../support/workspace-copy.ts'

// What `npm run new-handler` makes works as it stands: both kinds, in a copy of the repository, put through its checks without an edit.

/** So long that lines break and imports sort in another way than in the templates. */
const plain = 'weigh_all_of_the_media_files'
const ai = 'a_point'
const folders = ['packages/handler-weigh-all-of-the-media-files', 'packages/handler-a-point']
let copy: WorkspaceCopy
let said: string[]

beforeAll(async () => {
  copy = await copyWorkspace(inject('server').connectionString)
  const made = [await copy.newHandler([plain]), await copy.newHandler(['--', ai, '--ai'])]
  expect(made.filter(({ code }) => code !== 0)).toEqual([])
  said = made.map(({ stdout }) => stdout)
})
afterAll(() => copy.remove())

describe('a new handler, as it stands', () => {
  test('is in the form of the repository', async () => {
    expect(await copy.attempt('@biomejs/biome/bin/biome', ['check', '--error-on-warnings', 'package.json', ...folders])).toBe('')
  })

  test('type-checks', async () => {
    const include = [
      ...folders.flatMap((folder) => [`${folder}/src`, `${folder}/test`, `${folder}/*.ts`]),
      'tests/setup/provided-context.d.ts',
    ]
    await writeFile(join(copy.folder, 'tsconfig.json'), JSON.stringify({ extends: './tsconfig.base.json', include }))
    expect(await copy.attempt('typescript/bin/tsc', ['-p', 'tsconfig.json'])).toBe('')
  })

  test('passes its own tests, the conformance suite, and has the shape of every handler', async () => {
    const { failed, passed } = await copy.runTests([...folders, 'tests/handler-packages.test.ts'])
    expect(failed).toEqual([])
    expect(passed).toBeGreaterThan(60)
  })

  test('is known to the root, in order, and has a changeset', () => {
    const { devDependencies } = JSON.parse(read('package.json')) as { devDependencies: Record<string, string> }
    expect(devDependencies).toMatchObject({ '@sidelinja/handler-a-point': 'workspace:*' })
    expect(Object.keys(devDependencies)).toEqual(Object.keys(devDependencies).toSorted())
    expect(read('.changeset/handler-a-point.md')).toMatch(
      /^---\n'@sidelinja\/handler-a-point': minor\n---\n\nNew job type `a_point`: .+\.\n$/,
    )
    expect(read('pnpm-calls').trim().split('\n')).toEqual(Array(2).fill('install --offline --no-frozen-lockfile --reporter=append-only'))
  })

  test('bears no name but its own', () => {
    const texts = folders.flatMap((folder) => filesBelow(folder).map((file) => `${file}\n${read(file)}`))
    expect(texts.filter((text) => /my[_-]?type/i.test(text))).toEqual([])
  })

  test.each([0, 1])('comes with what is left to do (%i)', (n) => {
    for (const part of [
      'migrations/handlers/',
      'apps/worker/builds/',
      'docs/errors.md',
      'docs/operations.md',
      'doors:update',
      folders[n],
      'Not wanted after all: delete packages/handler-',
    ]) {
      expect(said[n]).toContain(part)
    }
  })
})

describe('refused in one sentence, with nothing written', () => {
  test.each([
    ['no job type', [], 'Expected a job type'],
    ['two', ['one_type', 'two_type'], 'got 2: one_type, two_type'],
    ['capitals', ['MyType'], '"MyType"'],
    ['dashes', ['my-type'], '"my-type"'],
    ['a path', ['../my_type'], '"../my_type"'],
    ['a digit first', ['1_type'], '"1_type"'],
    ['two underscores', ['my__type'], '"my__type"'],
    ['64 characters', ['a'.repeat(64)], 'at most 63'],
    ['a word of the language', ['delete'], 'delete means something else'],
    ['a global', ['parse_int'], 'parseInt means something else'],
    ['what the handler imports', ['define_handler'], 'defineHandler means something else'],
    ['a package that is there', ['generate_waveform'], 'packages/handler-generate-waveform is there already'],
    ['the same, with how to take it away', ['generate_waveform'], 'the line "@sidelinja/handler-generate-waveform" from package.json'],
    ['an option that there is none of', ['my_type', '--api'], 'the option "--api"'],
  ])('%s', async (_name, args, sentence) => {
    const written = () => [read('package.json'), ...filesBelow('packages'), ...filesBelow('.changeset')]
    const before = written()
    const { code, stdout, stderr } = await copy.newHandler(args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(sentence)
    expect(stderr.trim().split('\n')).toHaveLength(1)
    expect(written()).toEqual(before)
  })

  test('--ai that npm kept for itself', async () => {
    const { code, stderr } = await copy.newHandler(['my_type'], { npm_config_ai: 'true' })
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('npm run new-handler -- my_type --ai') })
  })
})

describe('packages that are missing', () => {
  test('are asked of the network when they are not here', async () => {
    await refuse('--offline')
    expect((await copy.newHandler(['first_try'])).code).toBe(0)
    expect(read('pnpm-calls')).toContain('install --prefer-offline')
  })

  test('and cannot be had: says that the package is written, and what to do', async () => {
    await refuse('install')
    const { code, stderr } = await copy.newHandler(['second_try'])
    expect(code).toBe(2)
    expect(stderr).toMatch(/^The package is written, but pnpm install failed; run npx pnpm install .*\nERR_PNPM no such package\n$/)
  })

  async function refuse(calls: string): Promise<void> {
    await rm(join(copy.folder, 'pnpm-calls'), { force: true })
    await writeFile(join(copy.folder, 'pnpm-refuses'), calls)
  }
})

function read(file: string): string {
  return readFileSync(join(copy.folder, file), 'utf8')
}

function filesBelow(folder: string): string[] {
  const entries = readdirSync(join(copy.folder, folder), { withFileTypes: true })
  return entries.flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    return entry.isDirectory() ? filesBelow(path) : [path]
  })
}
