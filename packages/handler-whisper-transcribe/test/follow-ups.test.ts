import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { runHandler } from '@sidelinja/jobs-core/testing'
import { type ForgejoStandIn, startForgejoStandIn } from '@sidelinja/jobs-kit/testing'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createHandler } from '../src/handler.ts'
import type { CommitResult } from '../src/job.ts'
import { recording, sayingRecognizer, setup } from './support.ts'

const ffmpeg = inject('ffmpeg')
if (!ffmpeg) console.log('not run: 11 tests, needs ffmpeg')

const repository = 'fjell/radio'
const settings = { forgejo: { repository, folder: 'undertekster' } }

describe.skipIf(!ffmpeg)('what follows a transcript', () => {
  let forgejo: ForgejoStandIn
  let t: Awaited<ReturnType<typeof setup>>
  beforeAll(async () => {
    forgejo = await startForgejoStandIn({ token: 'hemmelig', repositories: { [repository]: { branches: { main: {} } } } })
    t = await setup(
      inject('server'),
      { recognizer: sayingRecognizer([{ start: 0, end: 1, text: ' God morgen, Norge' }]) },
      { forgejo: { url: new URL(forgejo.url), token: 'hemmelig' } },
    )
    await t.writeMedia('ep 1.wav', recording({ seconds: 1, level: 0.5 }))
  })
  afterAll(async () => {
    await forgejo.close()
    await t.drop()
  })
  const commit = (collectionNodeId: string, payload: unknown) =>
    runHandler<CommitResult>(createHandler(t.services), { payload, job: { collectionNodeId }, db: t.db as never })

  test('nothing, when nobody names anything', async () => {
    const arranged = await t.arrange()
    await t.transcribe(arranged, 'ep 1.wav')
    expect(await t.jobs(arranged)).toEqual([])
  })

  test('what the collection names, by type, with node and path', async () => {
    const arranged = await t.arrange({ followUps: { whisper_transcribe: ['srt_parse', 'generate_waveform'] } })
    await t.transcribe(arranged, 'ep 1.wav')
    const payload = { mediaNodeId: arranged.mediaNodeId, audioPath: 'ep 1.wav' }
    expect(await t.jobs(arranged)).toMatchObject([
      { job_type: 'srt_parse', payload, priority: 5, unique_key: `media:${arranged.mediaNodeId}`, correlation_id: expect.any(String) },
      { job_type: 'generate_waveform', payload },
    ])
  })

  test('what the caller names goes before what the collection names', async () => {
    const arranged = await t.arrange({ followUps: { whisper_transcribe: ['srt_parse'] } })
    await t.transcribe(arranged, 'ep 1.wav', { payload: { followUps: ['dictation_cleanup'] } })
    await t.transcribe(arranged, 'ep 1.wav', { payload: { followUps: [] } })
    expect(await t.jobs(arranged)).toMatchObject([{ job_type: 'dictation_cleanup' }])
  })

  test('a follow-up of itself is refused before anything is sent', async () => {
    const sent = t.whisper.requests.length
    const failed = t.transcribe(await t.arrange({ followUps: { whisper_transcribe: ['whisper_transcribe'] } }), 'ep 1.wav')
    await expect(failed).rejects.toMatchObject({ kind: 'permanent', code: 'FOLLOW_UP_LOOP' })
    expect(t.whisper.requests).toHaveLength(sent)
  })

  test('a media node that does not exist is told before anything is sent', async () => {
    const sent = t.whisper.requests.length
    const { collectionNodeId } = await t.arrange()
    const failed = t.transcribe({ collectionNodeId, mediaNodeId: '5a1de11a-0000-4000-8000-000000000001' }, 'ep 1.wav')
    await expect(failed).rejects.toMatchObject({ kind: 'permanent', code: 'MEDIA_NODE_MISSING' })
    expect(t.whisper.requests).toHaveLength(sent)
  })

  test('a commit to the repository, as a job of its own, that changes nothing the second time', async () => {
    const arranged = await t.arrange(settings)
    await t.transcribe(arranged, 'ep 1.wav')
    const [job] = await t.jobs(arranged)
    expect(job).toMatchObject({ job_type: 'whisper_transcribe', payload: { commitTranscriptOf: arranged.mediaNodeId, fileName: 'ep 1' } })

    const path = 'undertekster/ep 1.srt'
    expect((await commit(arranged.collectionNodeId, job.payload)).result).toEqual({ repository, path, outcome: 'created' })
    expect((await commit(arranged.collectionNodeId, job.payload)).result).toEqual({ repository, path, outcome: 'unchanged' })
    expect(forgejo.commits).toMatchObject([
      {
        repository,
        branch: 'main',
        path,
        content: '1\n00:00:00,000 --> 00:00:01,000\nGod morgen, Norge\n',
        message: 'Undertekster til ep 1',
      },
    ])
  })

  test.each([
    ['.skjult.wav', 'undertekster/_skjult.srt'],
    ['sending 1/ø & å.wav', 'undertekster/sending 1/ø & å.srt'],
    ['sending 2/ø & å.wav', 'undertekster/sending 2/ø & å.srt'],
    [`${'a'.repeat(199)}😀.wav`, `undertekster/${'a'.repeat(199)}😀.srt`],
  ])('the commit of %j has a place of its own', async (audioPath, path) => {
    await mkdir(join(t.mediaRoot, dirname(audioPath)), { recursive: true })
    await t.writeMedia(audioPath, recording({ seconds: 1, level: 0.5 }))
    const arranged = await t.arrange(settings)
    await t.transcribe(arranged, audioPath)
    const [job] = await t.jobs(arranged)
    expect((await commit(arranged.collectionNodeId, job.payload)).result).toEqual({ repository, path, outcome: 'created' })
  })

  test('a commit for a collection that names no repository any more is refused', async () => {
    const { collectionNodeId, mediaNodeId } = await t.arrange()
    const failed = commit(collectionNodeId, { commitTranscriptOf: mediaNodeId, fileName: 'ep 1' })
    await expect(failed).rejects.toMatchObject({ kind: 'permanent', code: 'REPOSITORY_NOT_NAMED' })
  })
})
