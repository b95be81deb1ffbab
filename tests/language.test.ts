import { describe, expect, test } from 'vitest'
import { readText, repositoryFiles } from './support/workspace.ts'

type Rule = { name: string; pattern: RegExp; where?: (file: string) => boolean; example: string }

const prose = (file: string) => file.endsWith('.md')
const source = (file: string) => /\.(ts|js|mjs|cjs|svelte|sql)$/.test(file)
/** Joined from parts, so that this file does not hold what it looks for. */
const joined = (...parts: string[]) => parts.join('')

const rules: Rule[] = [
  {
    name: 'a path that only one machine has',
    pattern: new RegExp(`(^|[\\s'"\`(=:])/(${['work', 'home/\\w+', 'Users/\\w+', 'tmp/(wt|plan)'].join('|')})/`),
    example: joined("import '/", "home/me/jobs/a.ts'"),
  },
  { name: 'a path outside the repository', pattern: /\.\.\/shared\//, example: joined('see ../', 'shared/NOTES.md') },
  {
    name: 'a package registry’s address',
    pattern: new RegExp(`(registry|npm)\\.(${['npmjs', 'npmmirror', 'yarnpkg', 'pkg\\.github'].join('|')})\\.\\w+`),
    example: joined('https://registry.', 'npmjs', '.org/kysely'),
  },
  { name: 'a left-over note', pattern: /\b(TO{1}DO|FIX{1}ME|XX{2}|HA{1}CK)\b/, where: source, example: joined('// TO', 'DO: later') },
  { name: 'a merge conflict', pattern: /^(<{7} |={7}$|>{7} )/, example: joined('<'.repeat(7), ' HEAD') },
  { name: 'a numbered issue: say what, not where', pattern: /\bissue #?\d+\b/i, example: joined('see iss', 'ue #12') },
  {
    name: 'a promise nobody can keep outside a database',
    pattern: /exactly[- ]once/i,
    where: prose,
    example: joined('runs exactly', ' once'),
  },
  {
    name: 'a comment that is not in English',
    pattern: /^\s*(\/\/|\*|\/\*|--).*[æøå]/i,
    where: (file) => source(file) && !/\.test\.ts$|\/(test|messages)\//.test(file),
    example: joined('// teller nedlast', 'ø'),
  },
]

const texts = repositoryFiles().flatMap((file) => {
  const text = readText(file)
  return text.includes('\0') || /\.(log|srt|vtt)$/.test(file) ? [] : [{ file, lines: text.split('\n') }]
})

describe('language', () => {
  test.each(rules)('no file holds $name', ({ pattern, where = () => true }) => {
    const found = texts.flatMap(({ file, lines }) => {
      if (!where(file)) return []
      return lines.flatMap((line, index) => (pattern.test(line) ? [`${file}:${index + 1}: ${line.trim().slice(0, 120)}`] : []))
    })
    expect(found).toEqual([])
  })

  test.each(rules)('would notice $name', ({ pattern, example }) => {
    expect(example).toMatch(pattern)
  })

  test('the lockfile names no host', () => {
    expect(readText('pnpm-lock.yaml').match(/https?:\/\/\S+/g) ?? []).toEqual([])
  })
})
