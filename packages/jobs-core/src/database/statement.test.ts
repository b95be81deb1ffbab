import { sql } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import { statement } from './statement.ts'

describe('statement', () => {
  test('numbers parameters by name, in the order of the text, each once', () => {
    const query = statement<{ a: number; b: string }, object>(
      's',
      (p) => sql`select ${p('b')}::text, ${p('a')}::int, ${p('b')} || ${sql.lit('x')}`,
    )
    expect(query({ a: 1, b: 'two' })).toEqual({ name: 's', text: "select $1::text, $2::int, $1 || 'x'", values: ['two', 1] })
  })

  test('builds its text once, at its first use, and only binds after that', () => {
    const build = vi.fn((p: (key: 'a') => ReturnType<typeof sql.raw>) => sql`select ${p('a')}`)
    const query = statement<{ a: unknown }, object>('s', build)
    expect(build).not.toHaveBeenCalled()
    expect(query({ a: 1 }).values).toEqual([1])
    expect(query({ a: [null] }).values).toEqual([[null]])
    expect(build).toHaveBeenCalledTimes(1)
  })
})
