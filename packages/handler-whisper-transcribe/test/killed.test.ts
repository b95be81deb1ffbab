import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { enqueue } from '@sidelinja/jobs-core'
import { waitForJob } from '@sidelinja/jobs-core/testing'
import { createWorker } from '@sidelinja/jobs-core/worker'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createHandler } from '../src/handler.ts'
import { whisperTranscribe } from '../src/job.ts'
import { type ListeningOptions, STANDARD } from '../src/survey.ts'
import { type KilledWorkerOptions, killPoints } from './killed-worker.ts'
import { countingRecognizer, recording, setup } from './support.ts'

const ffmpeg = inject('ffmpeg')
if (!ffmpeg) console.log('not run: 5 tests, needs ffmpeg')

const listening: ListeningOptions = { ...STANDARD, limits: { targetMs: 2_000, maxMs: 2_000 } }

describe.skipIf(!ffmpeg)('a worker that is killed', () => {
  let t: Awaited<ReturnType<typeof setup>>
  beforeAll(async () => {
    t = await setup(inject('server'), { recognizer: countingRecognizer() })
    await t.writeMedia('six.wav', recording({ seconds: 6, level: 0.5 }))
  })
  afterAll(() => t.drop())

  test.each(killPoints)('%s: the next one goes on, pays for nothing twice and leaves one transcript', async (point) => {
    const { collectionNodeId, mediaNodeId } = await t.arrange({ followUps: { whisper_transcribe: ['srt_parse'] } })
    const sent = t.whisper.requests.length
    const { id } = await enqueue(t.pool, whisperTranscribe, { audioPath: 'six.wav', mediaNodeId }, { collectionNodeId })
    const { connectionString, mediaRoot } = t
    expect(await killed({ connectionString, mediaRoot, whisperUrl: t.whisper.url, listening, point })).toBe('SIGKILL')

    const worker = createWorker({
      connection: connectionString,
      handlers: [createHandler(t.services, listening)],
      leaseMs: 1_000,
      pollIntervalMs: 50,
    })
    await worker.start()
    try {
      expect(await waitForJob(t.pool, id, { status: 'completed' })).toMatchObject({ result: { pieces: 3, segments: 6 } })
    } finally {
      await worker.stop()
    }
    expect(t.whisper.requests).toHaveLength(sent + 3)
    expect((await t.segments({ collectionNodeId, mediaNodeId })).map(([startMs]) => startMs)).toEqual([
      0, 1_000, 2_000, 3_000, 4_000, 5_000,
    ])
    const jobs = await t.jobs({ collectionNodeId, mediaNodeId })
    expect(jobs.map(({ job_type }) => job_type)).toEqual(['whisper_transcribe', 'srt_parse'])
  })
})

/** What ended it. */
async function killed(options: KilledWorkerOptions): Promise<NodeJS.Signals | null> {
  const program = join(import.meta.dirname, 'killed-worker.ts')
  const child = spawn(process.execPath, ['--conditions=@sidelinja/source', program, JSON.stringify(options)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [, signal] = await once(child, 'exit')
  return signal
}
