import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import { defineJob } from '../../definition/define-job.ts'
import { defineResultView } from './define-result-view.ts'

const definition = defineJob({ type: 'a_job', payload: z.object({ n: z.number(), more: z.string().default('x') }) })
const { signal } = new AbortController()
const session = (payload: object) =>
  ({ db: 'db' as never, job: { id: 'j', collection_node_id: 'c', payload, result: { done: true } }, signal }) as never

test('a view is named by its definition, and is given the payload as the definition reads it', async () => {
  const read = vi.fn(() => [])
  const view = defineResultView(definition, read)
  expect(view.type).toBe('a_job')
  await view.read(session({ n: 1 }))
  expect(read).toHaveBeenCalledWith({
    ...{ db: 'db', job: { id: 'j', collectionNodeId: 'c' }, payload: { n: 1, more: 'x' } },
    ...{ result: { done: true }, signal },
  })
})

test('a payload that no longer fits has nothing to draw, and the view is not asked', async () => {
  const read = vi.fn(() => [])
  expect(await defineResultView(definition, read).read(session({ n: 'one' }))).toEqual([])
  expect(read).not.toHaveBeenCalled()
})

test('what a view throws is thrown', async () => {
  const view = defineResultView(definition, () => {
    throw new Error('odd')
  })
  await expect(view.read(session({ n: 1 }))).rejects.toThrow('odd')
})
