import type { ResultSession } from '@sidelinja/jobs-core/admin'
import { expect, test } from 'vitest'
import { readView, ViewTooSlowError } from './read-view.ts'

const session = { trx: 'the transaction' as never }
const job = { id: 'j' } as never

test('a view is given the transaction and the job, and its signal is aborted when it is done', async () => {
  let given: ResultSession | undefined
  const view = {
    type: 'a_job',
    async read(all: NonNullable<typeof given>) {
      given = all
      expect(all.signal.aborted).toBe(false)
      return []
    },
  }
  expect(await readView(view, session, job)).toEqual([])
  expect(given).toMatchObject({ db: 'the transaction', job, signal: { aborted: true } })
})

test('one that never ends is given up, and told so', async () => {
  let signal: AbortSignal | undefined
  const view = {
    type: 'a_job',
    read: (all: { signal: AbortSignal }) => {
      signal = all.signal
      return new Promise<never>(() => {})
    },
  }
  await expect(readView(view, session, job, 1)).rejects.toThrow(ViewTooSlowError)
  expect(signal?.aborted).toBe(true)
})
