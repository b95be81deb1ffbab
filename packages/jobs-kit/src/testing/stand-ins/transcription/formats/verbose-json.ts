import type { TranscribedWord, VerboseSegment, VerboseTranscription } from '../transcription.ts'

/** The whole text, as `json` and `text` have it. */
export function wholeText(segments: readonly VerboseSegment[]): string {
  return segments
    .map(({ text }) => text)
    .join('')
    .trim()
}

/** A segment with every field Whisper's servers send. */
export function verboseSegment(segment: VerboseSegment, id: number): object {
  return {
    id,
    seek: 0,
    start: segment.start,
    end: segment.end,
    text: segment.text,
    tokens: [],
    temperature: 0,
    avg_logprob: segment.avg_logprob ?? -0.3,
    compression_ratio: segment.compression_ratio ?? 1,
    no_speech_prob: segment.no_speech_prob ?? 0,
  }
}

export function allWords({ segments }: VerboseTranscription): TranscribedWord[] {
  return segments.flatMap(({ words = [] }) => words)
}
