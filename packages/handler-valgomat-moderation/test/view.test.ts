import { runResultView } from '@sidelinja/jobs-core/testing'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { valgomatModerationView } from '../src/view.ts'
import { setup } from './support.ts'

let t: Awaited<ReturnType<typeof setup>>
beforeAll(async () => {
  t = await setup(inject('server'))
})
afterAll(() => t.drop())

const show = (result: unknown) =>
  runResultView(valgomatModerationView, {
    ...{ db: t.db, collectionNodeId: crypto.randomUUID(), payload: { questionNodeIds: [crypto.randomUUID()] }, result: result as never },
  })

test('what a job left is drawn: that somebody is waited for, and the numbers', async () => {
  const arranged = await t.arrange(['Skolen bør bestå.', 'Bevar skolen!', 'Bør ferja gå?'], ['Ferja bør gå.'])
  const relate = (a: string, b: string) => ([a, b].every((text) => /ferja/i.test(text) === /ferja/i.test(a)) ? 'same' : 'different')
  const word = () => ({ verdict: 'reject', flags: ['uklar'] })
  const [waits, facts] = await show(await t.run({ relate, word }, arranged))
  expect(waits).toEqual({
    kind: 'note',
    tone: 'neutral',
    text: expect.objectContaining({ nb: expect.stringContaining('venter på at noen') }),
  })
  const rows = (facts as unknown as { rows: { label: { nb: string }; value: number }[] }).rows
  expect(Object.fromEntries(rows.map(({ label, value }) => [label.nb, value]))).toEqual({
    Spørsmål: 3,
    'Grupper som spør om det samme': 2,
    'Finnes fra før': 1,
    'Forslag til nøytral ordlyd': 0,
    'Ordlyder som flyttet standpunktet, utelatt': 0,
    'Bør ikke tas med': 2,
    'Uten svar fra modellen': 0,
  })
})

test('what has another shape is not shown', async () => {
  for (const other of [null, {}, 'x', { questions: '3' }]) expect(await show(other)).toEqual([])
})
