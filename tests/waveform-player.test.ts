import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import generateWaveform from '@sidelinja/handler-generate-waveform'
import { createTestDatabase, insertNode, runHandler } from '@sidelinja/jobs-core/testing'
import { createServices } from '@sidelinja/jobs-kit'
import { readWaveform } from '@sidelinja/jobs-kit/storage'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import WaveformData from 'waveform-data'
import { temporaryFolder } from './support/temporary-folder.ts'

// What players use to read peaks reads ours.

const ffmpeg = inject('ffmpeg')
if (!ffmpeg) console.log('not run: 2 tests, needs ffmpeg')

describe.skipIf(!ffmpeg)('waveform-data', () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>
  beforeAll(async () => {
    database = await createTestDatabase(inject('server'))
  })
  afterAll(() => database.drop())

  test.each(['overview', 'detail'] as const)('reads the %s', async (level) => {
    const mediaRoot = await temporaryFolder({})
    // Loud for a second, soft for a second, in turn.
    const sound = 'aevalsrc=if(lt(mod(t\\,2)\\,1)\\,0.9\\,0.1)*sin(300*2*PI*t):duration=60:sample_rate=16000'
    execFileSync(ffmpeg as string, ['-v', 'error', '-f', 'lavfi', '-i', sound, join(mediaRoot, 'a.flac')])
    const { db } = database
    const [collection, media] = [await insertNode(db), await insertNode(db)]
    const handler = generateWaveform.createHandler(createServices({ db, mediaRoot }))
    const payload = { mediaNodeId: media.id, audioPath: 'a.flac' }
    await runHandler(handler, { payload, job: { collectionNodeId: collection.id }, db })

    const stored = await readWaveform(db, collection.id, media.id, level)
    const waveform = WaveformData.create(JSON.parse(stored?.content ?? ''))
    expect(waveform).toMatchObject({ channels: 1, sample_rate: 16_000, bits: 8 })
    expect(Math.abs(waveform.duration - 60)).toBeLessThan(0.1)
    const channel = waveform.channel(0)
    for (let second = 0; second < 60; second++) {
      const peak = channel.max_sample(waveform.at_time(second + 0.5))
      expect(Math.abs(peak - (second % 2 === 0 ? 115 : 13))).toBeLessThan(3)
    }
    // A player fits it to its own width.
    expect(waveform.resample({ width: 300 }).length).toBe(300)
  })
})
