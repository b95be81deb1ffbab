import { randomUUID } from 'node:crypto'
import { insertNode } from '@sidelinja/jobs-core/testing'
import { afterEach, expect, inject, test } from 'vitest'
import { note, notice } from './samples.ts'
import { answering, setup } from './support.ts'

let t: Awaited<ReturnType<typeof setup>>
afterEach(() => t.drop())

test('a node gives its content, and keeps it', async () => {
  t = await setup(inject('server'))
  const { collectionNodeId, nodeId } = await t.arrange(note)
  const before = await t.hostRows()
  expect(await t.run({ mode: 'rens', nodeId }, collectionNodeId)).toMatchObject({ node: null, text: expect.stringContaining('Solberg') })
  expect(await t.hostRows()).toBe(before)
})

test('with replace it takes what is made of it', async () => {
  t = await setup(inject('server'))
  const { collectionNodeId, nodeId } = await t.arrange(note)
  expect(await t.run({ mode: 'rens', nodeId, replace: true }, collectionNodeId)).toMatchObject({
    node: 'replaced',
    text: null,
    uncertain: [],
  })
  expect(await t.content(nodeId)).toMatch(/^Jeg snakket med Ingrid Solberg/)
})

test('not when somebody changed it meanwhile: then the text is in the result', async () => {
  const edited = 'Noen skrev dette imens.'
  t = await setup(inject('server'), {
    answer: async () => {
      await t.pool.query(`update nodes set content = $1 where kind = 'note'`, [edited])
      return undefined
    },
  })
  const { collectionNodeId, nodeId } = await t.arrange(note)
  const result = await t.run({ mode: 'rens', nodeId, replace: true }, collectionNodeId)
  expect(result).toMatchObject({ node: 'changed_meanwhile', text: expect.stringContaining('Ingrid Solberg') })
  expect(await t.content(nodeId)).toBe(edited)
})

test('nor when it left the collection meanwhile', async () => {
  t = await setup(inject('server'), {
    answer: async () => {
      await t.pool.query('delete from edges')
      return undefined
    },
  })
  const { collectionNodeId, nodeId } = await t.arrange(note)
  expect(await t.run({ mode: 'rens', nodeId, replace: true }, collectionNodeId)).toMatchObject({ node: 'changed_meanwhile' })
  expect(await t.content(nodeId)).toBe(note)
})

test.each([
  ['much shorter', { mode: 'rens', answer: 'Jeg snakket med Ingrid.' }],
  ['in another language', { mode: 'skriv_om', answer: notice }],
  ['nothing', { mode: 'fakta', answer: { facts: [] } }],
] as const)('nor by what is %s', async (_, { mode, answer }) => {
  t = await setup(
    inject('server'),
    answering(() => answer),
  )
  const { collectionNodeId, nodeId } = await t.arrange(note)
  expect(await t.run({ mode, nodeId, replace: true }, collectionNodeId)).toMatchObject({ node: 'unlike', text: expect.any(String) })
  expect(await t.content(nodeId)).toBe(note)
})

test.each([null, '', ' \n'])('without any (%j) it is asked nothing about', async (content) => {
  t = await setup(inject('server'))
  const { collectionNodeId, nodeId } = await t.arrange(content)
  expect(await t.run({ mode: 'rens', nodeId, replace: true }, collectionNodeId)).toMatchObject({ text: '', note: 'no text', parts: 0 })
  expect(t.gateway.requests).toEqual([])
})

test("neither another collection's node is read, nor one that is gone, nor one that is too long", async () => {
  t = await setup(inject('server'))
  const { nodeId } = await t.arrange(note)
  const { id: loose } = await insertNode(t.db, { kind: 'note', content: note })
  for (const each of [nodeId, loose, randomUUID()]) {
    await expect(t.run({ mode: 'rens', nodeId: each })).rejects.toMatchObject({ kind: 'permanent', code: 'NODE_NOT_IN_COLLECTION' })
  }
  const long = await t.arrange('x'.repeat(60_001))
  const running = t.run({ mode: 'rens', nodeId: long.nodeId }, long.collectionNodeId)
  await expect(running).rejects.toMatchObject({ kind: 'permanent', code: 'TEXT_TOO_LONG' })
  expect(t.gateway.requests).toEqual([])
})

test.each(['rens', 'skriv_om'] as const)('nor is a note of a few words by an excuse: %s', async (mode) => {
  t = await setup(
    inject('server'),
    answering(() => 'Beklager, dette kan jeg ikke hjelpe til med. '.repeat(10)),
  )
  const { collectionNodeId, nodeId } = await t.arrange('Ring Kari om oppussinga.')
  const result = await t.run({ mode, nodeId, replace: true }, collectionNodeId)
  expect(result).toMatchObject({ node: 'unlike', text: expect.stringContaining('Beklager') })
  expect(await t.content(nodeId)).toBe('Ring Kari om oppussinga.')
})

test('a note of fillers may become much shorter, one of a few words a little longer', async () => {
  t = await setup(
    inject('server'),
    answering(({ text }) => (text.startsWith('eh') ? 'Ja.' : 'Husk å ringe Kari om oppussingen.')),
  )
  for (const content of ['eh eh altså liksom ja på en måte eh ja altså', 'ring Kari, oppussing']) {
    const { collectionNodeId, nodeId } = await t.arrange(content)
    expect(await t.run({ mode: 'rens', nodeId, replace: true }, collectionNodeId)).toMatchObject({ node: 'replaced' })
  }
})
