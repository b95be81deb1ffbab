import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { enqueue } from '@sidelinja/jobs-core'
import { waitForJob } from '@sidelinja/jobs-core/testing'
import { createWorker } from '@sidelinja/jobs-core/worker'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createHandler } from '../src/handler.ts'
import { whisperTranscribe } from '../src/job.ts'
import { fixtures, recording, sayingRecognizer, setup } from './support.ts'

const ffmpeg = inject('ffmpeg')
if (!ffmpeg) console.log('not run: 2 tests, needs ffmpeg')

const three = [
  [0, 1_000, 'en'],
  [1_000, 2_000, 'to'],
  [2_000, 3_000, 'tre'],
]

describe.skipIf(!ffmpeg)('a second attempt, and a second job', () => {
  let t: Awaited<ReturnType<typeof setup>>
  beforeAll(async () => {
    t = await setup(inject('server'), { recognizer: sayingRecognizer([{ start: 0, end: 1, text: ' før' }]) })
    await t.writeMedia('three.wav', recording({ seconds: 3, level: 0.5 }))
  })
  afterAll(() => t.drop())

  test('leave the old transcript until the new one is whole, and each of its segments once', { timeout: 60_000 }, async () => {
    const arranged = await t.arrange()
    await t.transcribe(arranged, 'three.wav')
    expect(await t.segments(arranged)).toEqual([[0, 1_000, 'før']])

    const srt = await readFile(join(fixtures, 'a39-three-cues.srt'), 'utf8')
    const three3 = JSON.stringify({ language: 'no', duration: 3, segments: cues(srt) })
    t.whisper.fail({ times: Infinity, answer: { status: 200, body: three3, headers: { 'content-type': 'application/json' } } })
    await t.pool.query(`
      create sequence attempts;
      create function refuse_first() returns trigger language plpgsql as $$ begin
        if new.seq = 2 and nextval('attempts') = 1 then raise exception 'the third segment fails once'; end if; return new; end $$;
      create trigger refuse_first before insert on transcription_segments for each row execute function refuse_first()`)
    const worker = createWorker({
      connection: t.connectionString,
      handlers: [createHandler(t.services)],
      leaseMs: 5_000,
      pollIntervalMs: 200,
    })
    await worker.start()
    try {
      const payload = { audioPath: 'three.wav', mediaNodeId: arranged.mediaNodeId }
      const first = await enqueue(t.pool, whisperTranscribe, payload, { collectionNodeId: arranged.collectionNodeId })
      await waitForJob(t.pool, first.id, { status: 'retry' })
      expect(await t.segments(arranged)).toEqual([[0, 1_000, 'før']])
      // Not in half a minute: now.
      await t.pool.query('update job_queue set scheduled_for = now() where id = $1', [first.id])
      const sent = t.whisper.requests.length
      await waitForJob(t.pool, first.id, { status: 'completed' })
      expect(await t.segments(arranged)).toEqual(three)
      expect(t.whisper.requests).toHaveLength(sent)

      const second = await enqueue(t.pool, whisperTranscribe, payload, { collectionNodeId: arranged.collectionNodeId })
      await waitForJob(t.pool, second.id, { status: 'completed' })
      expect(await t.segments(arranged)).toEqual(three)
    } finally {
      await worker.stop()
      t.whisper.recover()
    }
  })
})

function cues(srt: string) {
  return srt
    .trim()
    .split('\n\n')
    .map((cue, index) => ({ start: index, end: index + 1, text: ` ${cue.split('\n')[2]}` }))
}
