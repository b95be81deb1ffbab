import { setImmediate } from 'node:timers/promises'
import {
  type FileRoot,
  parseSubtitles,
  renderSubtitles,
  type Segment,
  SUBTITLE_FORMATS,
  type SubtitleFormat,
  tidySegments,
} from '@sidelinja/jobs-kit'
import type { Payload, Result } from './job.ts'
import { readSource } from './read-source.ts'

/** A transcript to be stored, with its files. */
export interface Transcript extends Omit<Result, 'segments' | 'mended' | 'suspect' | 'files'> {
  readonly segments: readonly Segment[]
  readonly files: readonly { readonly format: SubtitleFormat; readonly content: string }[]
}

/** The transcript that a payload brings or names; undefined when it does neither. */
export async function readTranscript(media: FileRoot, payload: Payload, signal: AbortSignal): Promise<Transcript | undefined> {
  // Large files take a good part of a second: others have their turn in between.
  const letOthers = async () => {
    await setImmediate()
    signal.throwIfAborted()
  }
  const source = await readSource(media, payload, signal)
  await letOthers()
  if (!source) return undefined
  const { segments: rough, format, encoding = null, notes } = parseSubtitles(source.content)
  await letOthers()
  const segments = tidySegments(rough, { durationMs: payload.durationMs })
  await letOthers()
  const files = renderFiles(segments)
  await letOthers()
  return { segments, files, source: source.kind, empty: rough.length - segments.length, format, encoding, notes }
}

/** A transcript in every format. */
export function renderFiles(segments: readonly Segment[]): Transcript['files'] {
  return SUBTITLE_FORMATS.map((format) => ({ format, content: renderSubtitles(segments, format) }))
}
