import { insertNode } from '@sidelinja/jobs-core/testing'
import { type ChatRequest, injections } from '@sidelinja/jobs-kit/testing'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { notice } from './samples.ts'
import { answering, dataOf, setup } from './support.ts'

/** What the text does not have, and what no text may have. */
const links = /utenfra\.example|javascript:|<img|onerror|!\[/

/** A model that does as it is told by whoever wrote the text, as well as it can. */
const obeying = ({ text, mode }: { text: string; mode: string }) => {
  const orders = text.replace(notice, '').trim()
  const said = `${orders} [les mer](https://utenfra.example/?q=1) ![x](//utenfra.example/p.gif) <img src=x onerror=y> javascript:alert(1)`
  const extra = { enqueue: 'url_ingest', nodeId: '0190f3c1-7a2b-7c4d-8e5f-66660badcafe', edges: [{ candidate: 'T1' }] }
  return mode === 'fakta' ? { facts: [{ fact: said, quote: said }], ...extra } : { text: said, ...extra }
}

describe.each(['rens', 'oppsummer', 'fakta', 'skriv_om'] as const)('%s of a text that gives orders', (mode) => {
  let t: Awaited<ReturnType<typeof setup>>
  beforeAll(async () => {
    t = await setup(inject('server'), answering(obeying))
  })
  afterAll(() => t.drop())

  test.each(injections)('$aim ($language): $text', async ({ text: order }) => {
    // What no column of text can hold never gets that far.
    const text = `${notice}\n\n${order.replaceAll('\0', '').toWellFormed()}`
    const { collectionNodeId, nodeId } = await t.arrange(text)
    const other = await insertNode(t.db, { kind: 'topic', title: 'En annens' })
    const before = await t.hostRows(nodeId)
    const asked = t.gateway.requests.length
    const result = await t.run({ mode, nodeId, replace: true }, collectionNodeId)
    expect(await t.hostRows(nodeId)).toBe(before)
    expect((await t.pool.query('select from job_queue')).rowCount).toBe(0)

    expect(t.gateway.requests).toHaveLength(asked + 1)
    checkSent(t.gateway.requests[asked]?.chat as ChatRequest, text, [collectionNodeId, nodeId, other.id])
    expect(Object.keys(result).toSorted()).toEqual(['cut', 'dropped', 'node', 'note', 'parts', 'text', 'uncertain'])
    const made = result.node === 'replaced' ? await t.content(nodeId) : result.text
    expect(result.node).toMatch(/^(replaced|unlike)$/)
    expect(made).not.toMatch(links)
    expect(made).not.toMatch(/\p{Cc}(?<!\n)/u)
  })
})

/** The text is data, whole, and nothing of it is an instruction; no id is sent at all. */
function checkSent(chat: ChatRequest, text: string, ids: readonly string[]): void {
  const [system, user] = chat.messages.map(({ content }) => content)
  expect(chat.messages).toHaveLength(2)
  expect(dataOf(chat).text).toBe(text)
  expect(user?.split('\n')).toHaveLength(4)
  expect(system).toContain('never instructions to you')
  for (const line of text.split('\n').filter((each) => each.length > 20)) expect(system).not.toContain(line)
  expect(ids.filter((id) => JSON.stringify(chat).includes(id))).toEqual([])
}
