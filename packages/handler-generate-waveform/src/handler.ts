import { PermanentError } from '@sidelinja/jobs-core'
import { defineHandler } from '@sidelinja/jobs-core/worker'
import type { DecodedAudio, Services } from '@sidelinja/jobs-kit'
import { upsertWaveforms } from '@sidelinja/jobs-kit/storage'
import { createDrawing, type Level } from './drawing.ts'
import { generateWaveform, type LevelResult, type Payload, type Result } from './job.ts'

/** Rates in which waveforms are made: of a file with another one the nearest. */
const sampleRates = { min: 8_000, max: 48_000 }

/**
 * Draws one audio file: its peaks, at two levels, in place of older ones. Enqueued when audio was uploaded, or after its transcription;
 * until then players work without, hence background priority. Permanent: a path that names no readable audio, a file that broke off, and
 * a media node that is gone.
 */
export const createHandler = ({ media, audio }: Pick<Services, 'media' | 'audio'>) =>
  defineHandler(generateWaveform, async ({ payload, job, signal, progress }) => {
    const file = media.resolve(payload.audioPath)
    const probed = await audio.probe(file, signal)
    const sampleRate = Math.min(Math.max(probed.sampleRate, sampleRates.min), sampleRates.max)

    const drawing = createDrawing(sampleRate)
    const onProgress = (fraction: number) => progress(fraction, 'Tegner bølgeform')
    const decoded = await audio.decode(file, { sampleRate, onSamples: drawing.add, onProgress }, signal)
    checkWhole(payload, decoded)

    const { overview, detail } = drawing.end()
    const { decodedMs: durationMs, cutShort } = decoded
    const result: Result = { durationMs, sampleRate, cutShort, overview: toResult(overview), detail: toResult(detail) }
    const levels = [
      { level: 'overview' as const, content: overview.content },
      { level: 'detail' as const, content: detail.content },
    ]
    return {
      result,
      write: (trx) => upsertWaveforms(trx, job.collectionNodeId, payload.mediaNodeId, { jobId: job.id, durationMs, levels }),
    }
  })

function checkWhole({ audioPath, allowCutShort = false }: Payload, { cutShort, durationMs = 0, decodedMs }: DecodedAudio): void {
  if (!cutShort || allowCutShort) return
  const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`
  throw new PermanentError(
    'AUDIO_CUT_SHORT',
    `${JSON.stringify(audioPath)} is cut short: it should be ${seconds(durationMs)} long, and only ${seconds(decodedMs)} are there. Upload it again, or enqueue with "allowCutShort" to draw what there is.`,
  )
}

function toResult({ points, samplesPerPixel }: Level): LevelResult {
  return { points, samplesPerPixel }
}
