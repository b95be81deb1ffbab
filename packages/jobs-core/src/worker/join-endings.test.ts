import { expect, test, vi } from 'vitest'
import type { NamedQuery } from '../database/statement.ts'
import { decideOutcome } from '../policy/outcome.ts'
import { joinEndings } from './join-endings.ts'

const ended = (id: string) => ({ id, run: 1, outcome: decideOutcome({ kind: 'threw', error: new Error('no') }, 1, 0) })

/** A database that settles what `refuse` does not refuse, and notes what it was asked together. */
function arrange(refuse: (ids: string[]) => unknown = () => undefined) {
  const asked: string[][] = []
  const run = vi.fn(async ({ values }: NamedQuery<unknown>) => {
    const ids = values[0] as string[]
    asked.push(ids)
    const error = refuse(ids)
    if (error) throw error
    return ids.filter((id) => id !== 'gone').map((id) => ({ id, run: 1, status: 'error', scheduled_for: new Date() }))
  })
  return { asked, settle: joinEndings({ run: run as never, close: async () => {} }) }
}

test('the first is settled at once, and those that end meanwhile together', async () => {
  const { asked, settle } = arrange()
  const settled = await Promise.all(['b', 'd', 'gone', 'c'].map((id) => settle(ended(id))))
  expect(asked).toEqual([['b'], ['c', 'd', 'gone']])
  expect(settled.map((row) => row?.id)).toEqual(['b', 'd', undefined, 'c'])
  await settle(ended('e'))
  expect(asked.at(-1)).toEqual(['e'])
})

test('one that is locked does not hold up the others', async () => {
  const locked = Object.assign(new Error('lock timeout'), { code: '55P03' })
  const { asked, settle } = arrange((ids) => (ids.includes('locked') ? locked : undefined))
  const results = await Promise.allSettled(['a', 'locked', 'b'].map((id) => settle(ended(id))))
  expect(asked).toEqual([['a'], ['b', 'locked'], ['locked'], ['b']])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
})

test('a lost connection is told to each: nobody knows what became of the statement', async () => {
  const lost = Object.assign(new Error('gone'), { code: 'ECONNRESET' })
  let isFirst = true
  const { asked, settle } = arrange(() => {
    const refuses = !isFirst
    isFirst = false
    return refuses ? lost : undefined
  })
  const results = await Promise.allSettled(['a', 'b', 'c'].map((id) => settle(ended(id))))
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected'])
  expect(asked).toEqual([['a'], ['b', 'c']])
})
