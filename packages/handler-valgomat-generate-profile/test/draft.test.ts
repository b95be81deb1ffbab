import { insertNode } from '@sidelinja/jobs-core/testing'
import { decideProfile, listProfiles } from '@sidelinja/jobs-kit/storage'
import { gatewayReply } from '@sidelinja/jobs-kit/testing'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { reply } from './recorded.ts'
import { setup } from './support.ts'

let t: Awaited<ReturnType<typeof setup>>
beforeAll(async () => {
  t = await setup(inject('server'))
})
afterAll(() => t.drop())

const says = (stances: readonly object[]) => () => gatewayReply(JSON.stringify({ stances }))
const stancesOf = async (arranged: Parameters<typeof t.draft>[0]) => (await t.draft(arranged))?.content.stances.map(({ stance }) => stance)

describe('a draft', () => {
  const draftOf = async () => {
    const arranged = await t.arrange()
    t.answers(says(reply.stances))
    await t.run(arranged)
    return {
      arranged,
      decide: async (decision: 'publish' | 'reject' | 'withdraw', given: object = {}) => {
        const profile = (await t.draft(arranged)) ?? (await listProfiles(t.storage, arranged.collectionNodeId, { state: 'published' }))[0]
        const { id = '', fingerprint = '' } = profile ?? {}
        await decideProfile(t.storage, arranged.collectionNodeId, { profileId: id, decision, fingerprint, decidedBy: 'kari', ...given })
      },
    }
  }
  const states = async (collection: string) =>
    (await t.pool.query('select state, decided_by from valgomat_profiles where collection_node_id = $1 order by created_at', [collection]))
      .rows

  test('is published by a person, and what is published stays until a person publishes the next', async () => {
    const { arranged, decide } = await draftOf()
    await decide('publish')
    expect(await states(arranged.collectionNodeId)).toEqual([{ state: 'published', decided_by: 'kari' }])
    const published = () => listProfiles(t.storage, arranged.collectionNodeId, { state: 'published' })
    const [before] = await published()

    t.answers(says([]))
    for (let n = 0; n < 2; n++) expect((await t.run(arranged)).profileId).not.toBe(before?.id)
    expect(await published()).toEqual([before])
    await decide('publish', { decidedBy: 'ola' })
    expect(await states(arranged.collectionNodeId)).toEqual([
      { state: 'replaced', decided_by: 'ola' },
      { state: 'published', decided_by: 'ola' },
    ])
    await decide('withdraw')
    expect(await published()).toEqual([])
  })

  test('that is rejected is not published any more, and the next job makes another one', async () => {
    const { arranged, decide } = await draftOf()
    const profileId = (await t.draft(arranged))?.id ?? ''
    await decide('reject')
    await expect(decide('publish', { profileId })).rejects.toMatchObject({ code: 'PROFILE_DECIDED' })
    await t.run(arranged)
    expect((await states(arranged.collectionNodeId)).map(({ state }) => state)).toEqual(['rejected', 'draft'])
  })

  test('is not published unseen, by nobody, nor out of another collection', async () => {
    const { arranged, decide } = await draftOf()
    const { fingerprint } = (await t.draft(arranged)) ?? {}
    t.answers(says([]))
    await t.run(arranged)
    await expect(decide('publish', { fingerprint })).rejects.toMatchObject({ code: 'PROFILE_CHANGED' })
    await expect(decide('publish', { decidedBy: undefined })).rejects.toMatchObject({ code: 'PROFILE_DECIDER_MISSING' })
    for (const decidedBy of ['', ' \t\n'])
      await expect(decide('publish', { decidedBy })).rejects.toMatchObject({ code: 'PROFILE_DECIDER_MISSING' })
    await expect(decide('withdraw')).rejects.toMatchObject({ code: 'PROFILE_DECIDED' })
    const { id: other } = await insertNode(t.db)
    const foreign = decideProfile(t.storage, other, {
      profileId: (await t.draft(arranged))?.id ?? '',
      decision: 'publish',
      fingerprint: '',
      decidedBy: 'x',
    })
    await expect(foreign).rejects.toMatchObject({ code: 'PROFILE_NOT_FOUND' })
    expect((await states(arranged.collectionNodeId)).map(({ state }) => state)).toEqual(['draft'])
  })

  test('that somebody has edited stays, and the new one stands beside it', async () => {
    const { arranged, decide } = await draftOf()
    await t.pool.query(
      `update valgomat_profiles set content = jsonb_set(content, '{stances,0,stance}', '1') where collection_node_id = $1`,
      [arranged.collectionNodeId],
    )
    t.answers(says([]))
    for (let n = 0; n < 2; n++) expect((await t.run(arranged)).profile).toBe('suggested')
    expect(await stancesOf(arranged)).toEqual([1, -2, 2, null])
    expect((await t.draft(arranged))?.suggestion).toMatchObject({ stances: Array(4).fill({ stance: null }) })
    await decide('publish')
    expect(await states(arranged.collectionNodeId)).toMatchObject([{ state: 'published' }])
    expect(await listProfiles(t.storage, arranged.collectionNodeId, { state: 'published' })).toMatchObject([{ suggestion: null }])
  })

  test('that somebody has edited the label out of is not published', async () => {
    const { arranged, decide } = await draftOf()
    await t.pool.query(`update valgomat_profiles set content = content - 'label' where collection_node_id = $1`, [
      arranged.collectionNodeId,
    ])
    await expect(decide('publish')).rejects.toMatchObject({ code: 'PROFILE_LABEL_MISSING' })
    expect((await states(arranged.collectionNodeId)).map(({ state }) => state)).toEqual(['draft'])
  })

  test.each([
    ['left the collection', 'delete from edges where target_id = $1'],
    ['was deleted', 'delete from nodes where id = $1'],
  ])('is not stored where the programme %s meanwhile', async (_, leave) => {
    const arranged = await t.arrange()
    t.answers(async () => {
      await t.pool.query(leave, [arranged.programmeNodeId])
      return gatewayReply(JSON.stringify({ stances: [] }))
    })
    await expect(t.run(arranged)).rejects.toMatchObject({ kind: 'permanent', code: 'NODE_NOT_IN_COLLECTION' })
    expect(await states(arranged.collectionNodeId)).toEqual([])
  })
})
