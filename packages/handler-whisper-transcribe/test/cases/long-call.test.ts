import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { enqueue } from '@sidelinja/jobs-core'
import { waitForJob } from '@sidelinja/jobs-core/testing'
import { createWorker, type WorkerEvent } from '@sidelinja/jobs-core/worker'
import { describe, expect, inject, test } from 'vitest'
import { createHandler } from '../../src/handler.ts'
import { whisperTranscribe } from '../../src/job.ts'
import { countingRecognizer, fixtures, recording, setup } from '../support.ts'

const ffmpeg = inject('ffmpeg')
if (!ffmpeg) console.log('not run: 1 tests, needs ffmpeg')

/** By `npm run cases` as long as it takes to meet a limit of five minutes, wherever one hides; else twice the lease. */
const silentMs = inject('fullCases') ? 320_000 : 7_000
const leaseMs = inject('fullCases') ? 30_000 : 3_000

describe.skipIf(!ffmpeg)(
  'a transcription server that says nothing for a long time, and then answers',
  { timeout: silentMs + 60_000 },
  () => {
    test('is called once; the lease is kept all along', async () => {
      const t = await setup(inject('server'), { recognizer: countingRecognizer() })
      const events: WorkerEvent[] = []
      const worker = createWorker({
        ...{ connection: t.connectionString, handlers: [createHandler(t.services)], leaseMs },
        onEvent: (event) => void events.push(event),
      })
      try {
        await t.writeMedia('three.wav', recording({ seconds: 3, level: 0.5 }))
        const segments = [{ start: 0, end: 3, text: (await readFile(join(fixtures, 'a39-three-cues.srt'), 'utf8')).split('\n')[2] }]
        t.whisper.fail({ delayMs: silentMs, answer: { status: 200, body: JSON.stringify({ segments }) } })
        const { collectionNodeId, mediaNodeId } = await t.arrange()
        const { id } = await enqueue(t.pool, whisperTranscribe, { audioPath: 'three.wav', mediaNodeId }, { collectionNodeId })
        await worker.start()
        await waitForJob(t.pool, id, { status: 'completed', timeoutMs: silentMs + 30_000 })
        const { rows } = await t.pool.query('select attempts, run from job_queue where id = $1', [id])
        expect(rows).toEqual([{ attempts: 1, run: 1 }])
        expect(t.whisper.requests).toHaveLength(1)
        expect(events.map(({ name }) => name).filter((name) => /lost|rescued|failed|forgotten/.test(name))).toEqual([])
        expect(await t.segments({ collectionNodeId, mediaNodeId })).toEqual([[0, 3_000, 'en']])
      } finally {
        await worker.stop()
        await t.drop()
      }
    })
  },
)
