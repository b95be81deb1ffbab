import { describe, expect, test } from 'vitest'
import { applyEdit } from './mutations/mutation.ts'
import { mutations } from './mutations/mutations.ts'
import { readText } from './support/workspace.ts'

// `npm run mutate` takes each guard away and sees its tests fail. Here: that the guards still stand where it looks for them.

describe('mutations', () => {
  test.each(mutations)('$name: what it takes away stands in the source one time', ({ edits }) => {
    for (const edit of edits) expect(applyEdit(readText(edit.file), edit)).not.toBe(readText(edit.file))
  })

  test.each(mutations.flatMap(({ tests }) => tests))('$file has a test "$name"', ({ file, name }) => {
    const [begin = ''] = name.split(':')
    expect(readText(file).replaceAll("\\'", "'")).toContain(begin)
  })

  test('cover the fence, the lease, the attempts, SKIP LOCKED, the error listener and the tenant', () => {
    for (const guard of [/^fence/, /^lease check/, /^attempts/, /^SKIP LOCKED/, /^error listener/, /^tenant/]) {
      expect(mutations.map(({ name }) => name)).toContainEqual(expect.stringMatching(guard))
    }
    expect(new Set(mutations.map(({ name }) => name)).size).toBe(mutations.length)
  })

  test('a text that is gone, or there twice, is noticed', () => {
    const edit = { file: 'a.ts', search: 'x', replace: '$& y' }
    expect(applyEdit('axb', edit)).toBe('a$& yb')
    expect(() => applyEdit('ab', edit)).toThrow('a.ts holds what a mutation looks for 0 times')
    expect(() => applyEdit('xx', edit)).toThrow('2 times')
  })
})
