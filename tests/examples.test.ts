import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createTestDatabase } from '@sidelinja/jobs-core/testing'
import { describe, expect, inject, test } from 'vitest'

// An example says at its end what it prints. It is run as a reader would run it, and must print that.

const run = promisify(execFile)
const root = join(import.meta.dirname, '..')
const folder = join(root, 'examples')
const pages = ['packages/jobs-core/README.md', 'docs/testing.md']
const examples = readdirSync(folder).filter((file) => file.endsWith('.ts'))

describe('examples', () => {
  test('there are some', () => {
    expect(examples).toContain('enqueue-in-a-transaction.ts')
  })

  test.each(examples)('%s prints what it says', async (file) => {
    const expected = printed(readFileSync(join(folder, file), 'utf8'))
    const database = await createTestDatabase(inject('server'))
    try {
      const args = ['--conditions=@sidelinja/source', join(folder, file), database.connectionString]
      const { stdout, stderr } = await run(process.execPath, args, { timeout: 30_000 })
      expect(stderr).toBe('')
      expect(stdout).toBe(expected)
    } finally {
      await database.drop()
    }
  })

  test('pages that quote an example quote it as it is', () => {
    const quotes = pages.flatMap(quotesIn)
    expect(quotes.length).toBeGreaterThan(0)
    expect(quotes.filter(({ from, code }) => !readFileSync(join(root, from), 'utf8').includes(code))).toEqual([])
  })

  test('what is printed is read from the last comment', () => {
    expect(printed('a()\n\n// Prints:\n// one\n//   two\n')).toBe('one\n  two\n')
    expect(() => printed('a()\n')).toThrow(/Prints/)
  })
})

function printed(source: string): string {
  const [, block] = /\n\/\/ Prints:\n((?:\/\/.*\n)+)$/.exec(source) ?? []
  if (block === undefined) throw new Error('An example ends with a comment "// Prints:" and the lines it prints.')
  return block.replace(/^\/\/ ?/gm, '')
}

/** `<!-- from: file -->` before a block says which file it is a part of. */
function quotesIn(page: string): { page: string; from: string; code: string }[] {
  const quotes = readFileSync(join(root, page), 'utf8').matchAll(/^<!-- from: (\S+) -->\n\n```ts\n([\s\S]*?)^```$/gm)
  return [...quotes].map(([, from = '', code = '']) => ({ page, from, code }))
}
