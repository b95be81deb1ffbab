import { runResultView } from '@sidelinja/jobs-core/testing'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import type { Result } from '../src/job.ts'
import { urlIngestView } from '../src/view.ts'
import { page, paragraphs } from './samples.ts'
import { setup } from './support.ts'

const jobId = '01900000-0000-7000-8000-0000000000b1'
let t: Awaited<ReturnType<typeof setup>>
let collectionNodeId: string
let result: Result
beforeAll(async () => {
  t = await setup(inject('server'))
  t.saying(() => ({ summary: 'Skøyta kommer.', key_claims: [{ claim: 'Den er 18 meter.', quote: 'Den er 18 meter lang' }] }))
  collectionNodeId = await t.collection()
  result = await t.run({ url: t.site.address('/sak') }, collectionNodeId, jobId)
})
afterAll(() => t.drop())

const show = (change: { result?: object; jobId?: string; collectionNodeId?: string } = {}) =>
  runResultView(urlIngestView, {
    db: t.db,
    collectionNodeId,
    jobId,
    payload: { url: t.site.address('/sak') },
    result,
    ...(change as object),
  })

test('a clip is shown as it stands in its node, with what the page says of itself', async () => {
  expect(await show()).toMatchObject([
    { kind: 'text', title: 'Kystbyen får ny redningsskøyte', text: 'Skøyta kommer.' },
    { kind: 'list', items: [{ text: 'Den er 18 meter.', quotes: [{ text: 'Den er 18 meter lang' }] }] },
    {
      kind: 'facts',
      rows: [
        ...[{ value: t.site.address('/sak') }, { value: 'Avisa' }, { value: 'Kari Lyng' }, { value: '2026-01-20T07:00:00.000Z' }],
        ...[{ label: { en: 'Fetched' } }, { value: { en: 'news' } }, { value: 'sidelinja/rutine' }],
      ],
    },
    { kind: 'text', text: paragraphs.join('\n\n') },
  ])
})

test.each([
  ['/ingen', 'There is no such page.', ['note', 'facts']],
  ['/mur', 'The rest of the page is for subscribers.', ['note', 'facts', 'text']],
])('what stood in the way is said: %s', async (path, en, kinds) => {
  t.site.setPages({ '/mur': page({ head: '<meta property="article:content_tier" content="locked">' }) })
  const blocked = await t.run({ url: t.site.address(path) }, collectionNodeId, jobId)
  const parts = await show({ result: blocked })
  expect(parts.map(({ kind }) => kind)).toEqual(kinds)
  expect(parts[0]).toMatchObject({ tone: 'warn', text: { en } })
})

test('that something stays as it was, or another job has written since, is said', async () => {
  const said = async (change: object) => (await show(change)).filter(({ kind }) => kind === 'note')
  const kept = { ...result, outcome: 'kept', obstacle: 'a new one' }
  expect(await said({ result: kept, jobId: collectionNodeId })).toMatchObject([
    { text: { en: 'The page could not be read.' } },
    { text: { en: expect.stringMatching(/been read before/) } },
  ])
  expect(await said({ result: { ...result, outcome: 'edited' } })).toMatchObject([{ text: { en: expect.stringMatching(/edited/) } }])
  expect(await said({ jobId: collectionNodeId })).toMatchObject([{ tone: 'warn', text: { en: expect.stringMatching(/Another job/) } }])
})

test('a node that is gone or another’s is not shown, and a result without one has nothing to draw', async () => {
  const other = await t.collection()
  for (const change of [{ collectionNodeId: other }, { result: { ...result, nodeId: jobId } }]) {
    expect(await show(change)).toMatchObject([{ kind: 'note', tone: 'neutral' }])
  }
  expect(await show({ result: {} })).toEqual([])
  await t.pool.query(`update nodes set metadata = '{"clip": "mine"}' where id = $1`, [result.nodeId])
  expect(await show()).toMatchObject([{ kind: 'text', text: paragraphs.join('\n\n') }])
})
