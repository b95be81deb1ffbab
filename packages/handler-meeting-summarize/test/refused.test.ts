import { readFile } from 'node:fs/promises'
import { insertNode } from '@sidelinja/jobs-core/testing'
import { gatewayReply } from '@sidelinja/jobs-kit/testing'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { setup } from './support.ts'

let t: Awaited<ReturnType<typeof setup>>
beforeAll(async () => {
  t = await setup(inject('server'))
})
afterAll(() => t.drop())

const recorded = JSON.parse(await readFile(new URL('fixtures/board-reply.json', import.meta.url), 'utf8'))
const reply = JSON.parse(recorded.choices[0].message.content)
const _says = (content: object) => () => gatewayReply(JSON.stringify(content))
const _meeting = { meetingDate: '2026-12-01', attendees: ['Selma Haugen', 'Jonas Eide'] }

describe('nobody is asked', () => {
  test('about a meeting in which nothing is said', async () => {
    const asked = t.gateway.requests.length
    const arranged = await t.arrange([])
    expect(await t.run(arranged)).toMatchObject({ note: 'no speech', minutes: null, parts: 0 })
    expect([await t.stored(arranged), t.gateway.requests.length]).toEqual([undefined, asked])
  })

  test('about one of another collection, nor one that was never transcribed', async () => {
    const asked = t.gateway.requests.length
    const [mine, other] = [await t.arrange(), await t.arrange()]
    const foreign = t.run({ ...mine, mediaNodeId: other.mediaNodeId })
    await expect(foreign).rejects.toMatchObject({ kind: 'permanent', code: 'NODE_NOT_IN_COLLECTION' })
    const { id: mediaNodeId } = await insertNode(t.db, { kind: 'meeting' })
    await t.pool.query(`insert into edges (source_id, target_id, kind) values ($1, $2, 'contains')`, [mine.collectionNodeId, mediaNodeId])
    await expect(t.run({ ...mine, mediaNodeId })).rejects.toMatchObject({ kind: 'permanent', code: 'TRANSCRIPT_MISSING' })
    expect(t.gateway.requests).toHaveLength(asked)
  })
})

test.each(['{"summary":"Kort', JSON.stringify(reply)])(
  'a reply that was cut is a failure that says so, and leaves nothing: %#',
  async (content) => {
    t.answers(() => gatewayReply(content, { finishReason: 'length' }))
    const arranged = await t.arrange(['Bare én setning.'])
    await expect(t.run(arranged)).rejects.toMatchObject({ kind: 'permanent', code: 'REPLY_CUT' })
    expect(await t.stored(arranged)).toBeUndefined()
  },
)
