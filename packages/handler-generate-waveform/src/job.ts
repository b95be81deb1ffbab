import { defineJob } from '@sidelinja/jobs-core'
import { z } from 'zod'

const payload = z.object({
  /** The node the waveform belongs to: an episode, a meeting, a dictation. */
  mediaNodeId: z.guid(),
  /** The audio file, or a video with sound, relative to the worker's MEDIA_ROOT: at most 500 characters, for example `show/ep001.mp3`. */
  audioPath: z.string().min(1).max(500),
  /** Draw what there is of a file that broke off. Default false: that is a permanent failure. */
  allowCutShort: z.boolean().optional(),
})

/** What a `generate_waveform` job is given. */
export type Payload = z.infer<typeof payload>

/** One level as it was stored. */
export type LevelResult = {
  /** How many points it has. */
  points: number
  samplesPerPixel: number
}

/** What a `generate_waveform` job leaves in `job_queue.result`. */
export type Result = {
  /** How much sound there is. */
  durationMs: number
  /** Of the waveform's samples; the file's own where that lies between 8,000 and 48,000. */
  sampleRate: number
  /** True when the file promises more than it holds; only with `allowCutShort`. */
  cutShort: boolean
  overview: LevelResult
  detail: LevelResult
}

/** Draws one audio file. Background work: priority 1. */
export const generateWaveform = defineJob({ type: 'generate_waveform', payload, priority: 1, maxAttempts: 3, timeoutMs: 3_600_000 })
