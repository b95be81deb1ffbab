import { expect, test } from 'vitest'
import { askAndMerge } from './ask-and-merge.ts'

function arrange(parts: readonly string[], budgetTokens: number, sizeOf?: (reply: string) => string) {
  const merges: string[] = []
  const reported: [number, string | undefined][] = []
  const run = askAndMerge(
    { progress: (fraction, text) => void reported.push([fraction, text]) },
    {
      ...{ parts, budgetTokens, halve: () => [], ...(sizeOf && { sizeOf }) },
      ask: async (part) => part.toUpperCase(),
      merge: (replies, name) => {
        merges.push(name)
        return replies.join('')
      },
    },
  )
  return { run, merges, reported }
}

test('the reply about a single part is the reply', async () => {
  const { run, merges, reported } = arrange(['a'], 100)
  expect(await run).toEqual({ reply: 'A', parts: 1 })
  expect(merges).toEqual([])
  expect(reported).toEqual([
    [1 / 3, 'Leser del 1 av 1'],
    [2 / 3, 'Samler og kontrollerer'],
  ])
})

test('replies that fit are put together at once, in order', async () => {
  const { run, merges } = arrange(['a', 'b', 'c'], 100)
  expect(await run).toEqual({ reply: 'ABC', parts: 3 })
  expect(merges).toEqual(['merge-1-1'])
})

test('others in rounds, two by two at least, and none is lost', async () => {
  const { run, merges } = arrange([...'abcde'], 1)
  expect(await run).toEqual({ reply: 'ABCDE', parts: 5 })
  expect(merges).toEqual(['merge-1-1', 'merge-1-2', 'merge-2-1', 'merge-3-1'])
})

test('of replies of which only something is put together, that counts', async () => {
  expect((await arrange(['a', 'b', 'c'], 3, () => '').run).reply).toBe('ABC')
  const { run, merges } = arrange(['a', 'b', 'c'], 6, () => '')
  await run
  expect(merges).toEqual(['merge-1-1'])
})

test('no parts are a mistake of the caller', async () => {
  await expect(arrange([], 1).run).rejects.toThrow('no parts')
})
