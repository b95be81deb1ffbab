import { randomUUID } from 'node:crypto'
import { gatewayReply } from '@sidelinja/jobs-kit/testing'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { reply } from './recorded.ts'
import { setup } from './support.ts'

let t: Awaited<ReturnType<typeof setup>>
beforeAll(async () => {
  t = await setup(inject('server'))
})
afterAll(() => t.drop())

const _says = (stances: object[]) => () => gatewayReply(JSON.stringify({ stances }))
const [_schools, _toll] = reply.stances
const _stancesOf = async (arranged: Parameters<typeof t.draft>[0]) => (await t.draft(arranged))?.content.stances.map(({ stance }) => stance)

describe('nobody is asked', () => {
  test.each([
    ['no statements', { about: [] }],
    ['no text', { content: ' \f ' }],
    ['no text', { content: null }],
  ])('where there are %s', async (note, options) => {
    const asked = t.gateway.requests.length
    const arranged = await t.arrange(options)
    expect(await t.run(arranged)).toMatchObject({ note, profileId: null })
    expect([await t.draft(arranged), t.gateway.requests.length]).toEqual([undefined, asked])
  })

  test("about another collection's programme or statements, nor about too much", async () => {
    const asked = t.gateway.requests.length
    const [mine, other] = [await t.arrange(), await t.arrange()]
    const inMine = { kind: 'permanent', code: 'NODE_NOT_IN_COLLECTION' }
    await expect(t.run({ ...mine, programmeNodeId: other.programmeNodeId })).rejects.toMatchObject(inMine)
    for (const id of [other.statementNodeIds[0] ?? '', mine.programmeNodeId, randomUUID()]) {
      await expect(t.run(mine, { statementNodeIds: [mine.statementNodeIds[0] ?? '', id] })).rejects.toMatchObject(inMine)
    }
    const long = await t.arrange({ content: 'x'.repeat(3_000_001) })
    await expect(t.run(long)).rejects.toMatchObject({ kind: 'permanent', code: 'TEXT_TOO_LONG' })
    const many = await t.arrange({ about: Array.from({ length: 201 }, (_, n) => `Påstand ${n}.`) })
    await expect(t.run(many)).rejects.toMatchObject({ kind: 'permanent', code: 'STATEMENTS_TOO_MANY' })
    expect(t.gateway.requests).toHaveLength(asked)
  })
})

test.each(['{"stances":[{"statem', JSON.stringify(reply)])(
  'a reply that was cut is a failure that says so, and leaves nothing: %#',
  async (content) => {
    t.answers(() => gatewayReply(content, { finishReason: 'length' }))
    const arranged = await t.arrange({ content: 'Bare én setning.' })
    await expect(t.run(arranged)).rejects.toMatchObject({ kind: 'permanent', code: 'REPLY_CUT' })
    expect(await t.draft(arranged)).toBeUndefined()
  },
)
