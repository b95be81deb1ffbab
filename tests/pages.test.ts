import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { createTestDatabase, type TestDatabase } from '@sidelinja/jobs-core/testing'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'

// What a page tells a reader to run must run, and where it points must be something.

const root = join(import.meta.dirname, '..')
const pages = markdownFiles()
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

function markdownFiles(): string[] {
  const list = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '*.md'], {
    cwd: root,
    encoding: 'utf8',
  })
  return list.split('\0').filter((file) => file !== '' && existsSync(join(root, file)))
}

function read(page: string): string {
  return readFileSync(join(root, page), 'utf8')
}

/** The statements of a page's blocks of SQL, an ellipsis for an id replaced by one. */
function statementsIn(markdown: string): string[] {
  const blocks = [...markdown.matchAll(/^ *```sql\n([\s\S]*?)^ *```$/gm)].map(([, block = '']) => block)
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
