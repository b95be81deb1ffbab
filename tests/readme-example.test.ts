import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createTestDatabase } from '@sidelinja/jobs-core/testing'
import ts from 'typescript'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { compilerOptions } from './support/compiler-options.ts'
import { examplesIn, markedExamples } from './support/examples.ts'
import { type Manifest, readJson, readText, root } from './support/workspace.ts'

// A reader copies the example; so it is compiled and run, as it stands on the page.

const run = promisify(execFile)
const examples = markedExamples()
let folder: string
beforeAll(async () => {
  await mkdir(join(root, '.temporary'), { recursive: true })
  folder = await mkdtemp(join(root, '.temporary/examples-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('examples', () => {
  test('the README has one', () => {
    expect(examples.map(({ name }) => name)).toContain('README.md: quickstart')
  })

  test.each(examples)('$name is right, and prints what it says', async ({ name, code, prints }) => {
    const file = join(folder, `${name.replace(/\W+/g, '-')}.ts`)
    await writeFile(file, code)
    expect(complaints(file)).toEqual([])

    const database = await createTestDatabase(inject('server'))
    try {
      const options = { cwd: folder, timeout: 30_000, env: { DATABASE_URL: database.connectionString } }
      const { stdout, stderr } = await run(process.execPath, ['--conditions=@sidelinja/source', file], options)
      expect(stderr).toBe('')
      if (prints !== undefined) expect(stdout).toBe(prints)
    } finally {
      await database.drop()
    }
  })

  test('the README installs the kysely that jobs-core asks for', () => {
    const { peerDependencies = {} } = readJson<Manifest>('packages/jobs-core/package.json')
    expect(readText('README.md')).toContain(`'kysely@${peerDependencies.kysely}'`)
  })

  test('a mark finds its own block', () => {
    const page = '<!-- example: a -->\n\n```ts\nlet a\n```\n\nText.\n\n<!-- prints: a -->\n```text\n1\n```\n\n```ts\nlet b\n```\n'
    expect(examplesIn(page, 'a.md')).toEqual([{ name: 'a.md: a', code: 'let a\n', prints: '1\n' }])
    expect(() => examplesIn('<!-- example: a -->\n```sh\nls\n```\n```ts\nlet a\n```\n', 'a.md')).toThrow(/must be followed/)
  })
})

function complaints(file: string): string[] {
  const program = ts.createProgram([file], compilerOptions())
  const found = [...program.getSyntacticDiagnostics(), ...program.getSemanticDiagnostics()]
  return found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
}
