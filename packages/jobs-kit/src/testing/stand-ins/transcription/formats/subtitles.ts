import type { VerboseSegment } from '../transcription.ts'
import { clock } from './time.ts'

/** How one server writes subtitles. */
export interface SubtitleManners {
  toMs(seconds: number): number
  text(text: string): string
  vttHours?: 'always' | 'when-needed'
  /** The first cue of a VTT file begins at 0, whatever was said when. */
  vttFromZero?: boolean
}

export function writeSrt(segments: readonly VerboseSegment[], { toMs, text }: SubtitleManners): string {
  return segments
    .map(
      (segment, index) =>
        `${index + 1}\n${clock(toMs(segment.start), ',')} --> ${clock(toMs(segment.end), ',')}\n${text(segment.text)}\n\n`,
    )
    .join('')
}

export function writeVtt(segments: readonly VerboseSegment[], manners: SubtitleManners): string {
  const time = (seconds: number) => clock(manners.toMs(seconds), '.', manners.vttHours)
  const cues = segments.map((segment, index) => {
    const start = index === 0 && manners.vttFromZero ? 0 : segment.start
    return `${time(start)} --> ${time(segment.end)}\n${manners.text(segment.text)}\n\n`
  })
  return `WEBVTT\n\n${cues.join('')}`
}
