import { runResultView } from '@sidelinja/jobs-core/testing'
import { gatewayReply } from '@sidelinja/jobs-kit/testing'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { valgomatGenerateProfileView } from '../src/view.ts'
import { reply } from './recorded.ts'
import { type Arranged, setup } from './support.ts'

let t: Awaited<ReturnType<typeof setup>>
let arranged: Arranged
let profileId: string | null
beforeAll(async () => {
  t = await setup(inject('server'))
  t.answers(() => gatewayReply(JSON.stringify(reply)))
  arranged = await t.arrange()
  profileId = (await t.run(arranged)).profileId
})
afterAll(() => t.drop())

const show = (options: object = {}) =>
  runResultView(valgomatGenerateProfileView, {
    ...{
      db: t.db,
      collectionNodeId: arranged.collectionNodeId,
      payload: { party: 'Bygdelista', programmeNodeId: arranged.programmeNodeId },
    },
    ...{ result: { profileId }, ...options },
  })

test('a profile is shown with its label and its state, each stance with its quotes', async () => {
  const [label, facts, stances] = await show()
  expect(label).toMatchObject({ kind: 'note', tone: 'warn', text: expect.stringMatching(/^Syntetisk profil/) })
  expect(facts).toMatchObject({ rows: [{ value: 'Bygdelista' }, { value: { en: 'draft, not published' } }] })
  expect(stances).toMatchObject({
    kind: 'list',
    items: [
      { mark: { text: { en: 'strongly for' } }, quotes: [{ text: reply.stances[0]?.evidence[0]?.quote, who: '1' }] },
      { mark: { text: { nn: 'heilt imot' }, tone: 'bad' } },
      { mark: { tone: 'good' } },
      { mark: { text: { nb: 'ikke noe svar' } }, quotes: [] },
    ],
  })
})

test('nothing of another collection, of one that is gone, and of another shape', async () => {
  expect(await show({ collectionNodeId: arranged.programmeNodeId })).toEqual([])
  expect(await show({ result: { profileId: arranged.programmeNodeId } })).toEqual([])
  expect(await show({ result: { profileId: null } })).toEqual([])
})
