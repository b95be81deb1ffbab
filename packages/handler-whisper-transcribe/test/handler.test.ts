import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { insertNode } from '@sidelinja/jobs-core/testing'
import { createServices } from '@sidelinja/jobs-kit'
import { describeHandler, startTranscriptionStandIn, type TranscriptionStandIn } from '@sidelinja/jobs-kit/testing'
import { afterAll, beforeAll, describe, inject } from 'vitest'
import whisperTranscribe from '../src/index.ts'
import { recording, sayingRecognizer } from './support.ts'

const ffmpeg = inject('ffmpeg')
if (!ffmpeg) console.log('not run: 10 tests, needs ffmpeg')

let whisper: TranscriptionStandIn
beforeAll(async () => {
  whisper = await startTranscriptionStandIn({ recognizer: sayingRecognizer([{ start: 0, end: 1, text: ' God morgen' }]) })
})
afterAll(() => whisper.close())

describe.skipIf(!ffmpeg)('conformance', () => {
  describeHandler({
    package: whisperTranscribe,
    packageFolder: new URL('..', import.meta.url),
    server: inject('server'),
    createServices: ({ db }, mediaRoot) => createServices({ db, mediaRoot, transcription: { url: new URL(whisper.url) } }),
    async arrange({ db }, mediaRoot) {
      await writeFile(join(mediaRoot, 'episode.wav'), recording({ seconds: 1, level: 0.5 }))
      const { id: collectionNodeId } = await insertNode(db)
      const { id: mediaNodeId } = await insertNode(db, { kind: 'media' })
      return { collectionNodeId, payload: { audioPath: 'episode.wav', mediaNodeId } }
    },
    badPayloads: [
      {},
      { audioPath: 'a.mp3' },
      { audioPath: '', mediaNodeId: '5a1de11a-0000-4000-8000-000000000001' },
      { audioPath: 'a.mp3', mediaNodeId: 'x' },
      { audioPath: 'a.mp3', mediaNodeId: '5a1de11a-0000-4000-8000-000000000001', language: 'norsk språk' },
      { audioPath: 'a.mp3', mediaNodeId: '5a1de11a-0000-4000-8000-000000000001', followUps: ['Drop Table'] },
      { commitTranscriptOf: '5a1de11a-0000-4000-8000-000000000001', fileName: '../x' },
    ],
    ignoreColumns: ['transcription_segments.job_id', 'media_transcripts.job_id', 'media_transcripts.updated_at'],
    ignoreTables: ['service_breakers'],
  })
})
