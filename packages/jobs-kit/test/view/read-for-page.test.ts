import { migrate, queueMigrations, roleMigrations } from '@sidelinja/jobs-core/admin'
import { insertNode } from '@sidelinja/jobs-core/testing'
import { sql, type Transaction } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import {
  handlerMigrations,
  handlerRoleMigrations,
  readFirstSegments,
  readTranscript,
  replaceSegments,
  upsertWaveforms,
} from '../../src/storage/index.ts'
import { readResultNode, transcriptParts, waveformParts } from '../../src/view/index.ts'
import { segmentsOf, setUpTranscripts } from '../transcripts/support.ts'

const user = '01900000-0000-7000-8000-0000000000a1'
const jobId = '01900000-0000-7000-8000-0000000000b1'
let t: Awaited<ReturnType<typeof setUpTranscripts>>
let [clip, otherClip, loose] = ['', '', '']

beforeAll(async () => {
  t = await setUpTranscripts(inject('server'))
  await migrate(t.database.pool, { sources: [queueMigrations, handlerMigrations, roleMigrations, handlerRoleMigrations] })
  for (const [collection, media] of [
    [t.mine, t.episode],
    [t.other, t.otherEpisode],
  ] as const) {
    await replaceSegments(t.db, collection, media, { jobId, language: 'nb', segments: segmentsOf('En', 'To', 'Tre') })
    const content = JSON.stringify({ version: 2, channels: 1, bits: 8, data: [-1, 2] })
    await upsertWaveforms(t.db, collection, media, { jobId, durationMs: 1_000, levels: [{ level: 'overview', content }] })
  }
  ;[clip, otherClip, loose] = [await node(t.mine), await node(t.other), await node()]
  await t.database.query(`insert into node_access (user_id, node_id, role) values ($1, $2, 'viewer')`, [user, t.mine])
})
afterAll(() => t.database.drop())

/** A node with content, tied to a collection by an edge. */
async function node(collection?: string): Promise<string> {
  const { id } = await insertNode(t.database.db, { kind: 'research', title: 'Klipp' })
  await t.database.query(`update nodes set content = 'Teksten', metadata = '{"clip": {"a": 1}, "own": 2}' where id = $1`, [id])
  if (collection) await t.database.query(`insert into edges (source_id, target_id, kind) values ($1, $2, 'contains')`, [collection, id])
  return id
}

/** As the admin page reads: a member of queue_web, for one user. */
function asUser<Result>(userId: string, use: (trx: Transaction<never>) => Promise<Result>): Promise<Result> {
  return t.database.db.transaction().execute(async (trx) => {
    await sql`set local role queue_web`.execute(trx)
    await sql`select set_config('app.user_id', ${userId}, true)`.execute(trx)
    return use(trx as unknown as Transaction<never>)
  })
}

const clipOf = (nodeId: string) => ({ nodeId, metadataKey: 'clip' })

describe('what a page reads of a result', () => {
  test('the first segments, and whether there are more', async () => {
    const { segments, more } = await readFirstSegments(t.db, t.mine, t.episode, 2)
    expect(segments).toEqual([
      { startMs: 0, endMs: 1_000, text: 'En', speaker: null, language: 'nb', suspect: [] },
      { startMs: 1_000, endMs: 2_000, text: 'To', speaker: null, language: 'nb', suspect: [] },
    ])
    expect([more, (await readFirstSegments(t.db, t.mine, t.episode, 3)).more]).toEqual([true, false])
  })

  test('of a long segment the beginning', async () => {
    const long = await t.insert()
    await replaceSegments(t.db, t.mine, long, { jobId, language: 'nb', segments: segmentsOf('a'.repeat(9_000)) })
    expect((await readFirstSegments(t.db, t.mine, long, 1)).segments[0]?.text).toHaveLength(4_000)
  })

  test('who wrote the transcript', async () => {
    expect(await readTranscript(t.db, t.mine, t.episode)).toEqual({ language: 'nb', jobId })
    expect(await readTranscript(t.db, t.mine, loose)).toBeUndefined()
  })

  test('a node of the collection with one key of its metadata', async () => {
    expect(await readResultNode(t.db, t.mine, clipOf(clip))).toEqual({ title: 'Klipp', content: 'Teksten', detail: { a: 1 } })
    expect(await readResultNode(t.db, t.mine, { nodeId: t.mine, metadataKey: 'clip' })).toMatchObject({ detail: null })
  })

  test.each(['has_summary', 'has_note'])('no node that is the collection’s by an edge %s, which opens nothing', async (kind) => {
    const summary = await node(t.mine)
    await t.database.query('update edges set kind = $1 where target_id = $2', [kind, summary])
    expect(await readResultNode(t.db, t.mine, clipOf(summary))).toBeUndefined()
    expect(await asUser(user, (trx) => readResultNode(trx, t.mine, clipOf(summary)))).toBeUndefined()
  })

  test('nothing of another collection, whoever reads', async () => {
    expect(await readFirstSegments(t.db, t.mine, t.otherEpisode, 10)).toEqual({ segments: [], more: false })
    expect(await readTranscript(t.db, t.mine, t.otherEpisode)).toBeUndefined()
    expect(await readResultNode(t.db, t.mine, clipOf(otherClip))).toBeUndefined()
    expect(await readResultNode(t.db, t.mine, clipOf(loose))).toBeUndefined()
  })
})

describe('under row-level security', () => {
  test('a user reads what belongs to their collections, a node by the function alone', async () => {
    const read = await asUser(user, async (trx) => ({
      segments: (await readFirstSegments(trx, t.mine, t.episode, 10)).segments.length,
      transcript: await readTranscript(trx, t.mine, t.episode),
      node: await readResultNode(trx, t.mine, clipOf(clip)),
    }))
    expect(read).toMatchObject({ segments: 3, transcript: { jobId }, node: { content: 'Teksten' } })
    await expect(asUser(user, (trx) => sql`select content from nodes`.execute(trx))).rejects.toMatchObject({ code: '42501' })
  })

  test('and nothing of others, although the statement names their collection', async () => {
    const read = await asUser(user, async (trx) => ({
      segments: (await readFirstSegments(trx, t.other, t.otherEpisode, 10)).segments,
      transcript: await readTranscript(trx, t.other, t.otherEpisode),
      node: await readResultNode(trx, t.other, clipOf(otherClip)),
    }))
    expect(read).toEqual({ segments: [], transcript: undefined, node: undefined })
    expect(await asUser('01900000-0000-7000-8000-0000000000ff', (trx) => readResultNode(trx, t.mine, clipOf(clip)))).toBeUndefined()
    expect(await asUser('', (trx) => readResultNode(trx, t.mine, clipOf(clip)))).toBeUndefined()
  })
})

describe('parts', () => {
  const context = (id: string) => ({ db: t.database.db as never, job: { id, collectionNodeId: t.mine } })

  test('of a transcript say where another job has written it since', async () => {
    const [transcript, ...others] = await transcriptParts(context(jobId), t.episode)
    expect(transcript).toMatchObject({ kind: 'transcript', language: 'nb', more: false, segments: [{ text: 'En', doubts: [] }, {}, {}] })
    expect(others).toEqual([])
    expect((await transcriptParts(context(t.mine), t.episode)).map(({ kind }) => kind)).toEqual(['note', 'transcript'])
    expect(await transcriptParts(context(jobId), t.otherEpisode)).toEqual([])
  })

  test('of a transcript say why a segment is uncertain', async () => {
    await t.database.query(`update transcription_segments set suspect = '{silence,what_is_new}' where media_node_id = $1 and seq = 1`, [
      t.episode,
    ])
    const [transcript] = await transcriptParts(context(jobId), t.episode)
    expect(transcript).toMatchObject({ segments: [{}, { doubts: [{ en: 'the recording is silent here' }, 'what_is_new'] }, {}] })
  })

  test('of a waveform are its peaks', async () => {
    expect(await waveformParts(context(jobId), t.episode)).toMatchObject({
      jobId,
      parts: [{ kind: 'waveform', durationMs: 1_000, peaks: [-1, 2] }],
    })
    expect(await waveformParts(context(jobId), t.otherEpisode)).toEqual({ parts: [], jobId: null })
  })
})
