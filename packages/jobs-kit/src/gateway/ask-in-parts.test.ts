import { PermanentError } from '@sidelinja/jobs-core'
import { expect, test } from 'vitest'
import { askInParts } from './ask-in-parts.ts'

const halve = (part: number[]) =>
  part.length < 2 ? [part] : [part.slice(0, Math.ceil(part.length / 2)), part.slice(Math.ceil(part.length / 2))]
const tooLong = () => new PermanentError('CONTEXT_TOO_LONG', 'too long')

test('asks part after part and keeps their order', async () => {
  const asked: string[] = []
  const replies = await askInParts({
    parts: [[1, 2], [3]],
    halve,
    ask: async (part, name) => {
      asked.push(name)
      return part.join('+')
    },
  })
  expect(replies).toEqual([
    { part: [1, 2], reply: '1+2' },
    { part: [3], reply: '3' },
  ])
  expect(asked).toEqual(['1', '2'])
})

test('halves what is too long until it fits, and covers everything', async () => {
  const asked: string[] = []
  const replies = await askInParts({
    parts: [[1, 2, 3, 4, 5]],
    halve,
    ask: async (part, name) => {
      asked.push(name)
      if (part.length > 2) throw tooLong()
      return part.length
    },
  })
  expect(replies.flatMap(({ part }) => part)).toEqual([1, 2, 3, 4, 5])
  expect(asked).toEqual(['1', '1-1', '1-1-1', '1-1-2', '1-2'])
})

test('gives up on one item that is too long alone, and on any other error at once', async () => {
  await expect(askInParts({ parts: [[1]], halve, ask: () => Promise.reject(tooLong()) })).rejects.toMatchObject({
    code: 'CONTEXT_TOO_LONG',
  })
  let asked = 0
  const other = askInParts({
    parts: [[1, 2], [3]],
    halve,
    ask: async () => {
      asked++
      throw new Error('down')
    },
  })
  await expect(other).rejects.toThrow('down')
  expect(asked).toBe(1)
})
