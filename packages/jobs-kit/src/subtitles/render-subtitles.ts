import type { Segment } from './segment.ts'
import { formatTime, parseTiming } from './timing.ts'

/** `srt` and `vtt` for players, `txt` for readers, `json` as podcast players read transcripts. */
export type SubtitleFormat = 'srt' | 'vtt' | 'txt' | 'json'

/** All formats, in the order in which people name them. */
export const SUBTITLE_FORMATS = ['srt', 'vtt', 'txt', 'json'] as const satisfies readonly SubtitleFormat[]

const renderers: Readonly<Record<SubtitleFormat, (segments: readonly Segment[]) => string>> = {
  srt: renderSrt,
  vtt: renderVtt,
  txt: renderText,
  json: renderJson,
}

/**
 * A transcript as a file, with everything in it, also what is suspect. Texts are escaped for the format: what reads like a mark or like
 * the times of a cue is shown, not obeyed. `json` is that of the podcast namespace (times in seconds), with `suspect` where there is any.
 */
export function renderSubtitles(segments: readonly Segment[], format: SubtitleFormat): string {
  return renderers[format](segments)
}

function renderSrt(segments: readonly Segment[]): string {
  const cues = segments.map(({ startMs, endMs, text, speaker }, index) => {
    const prefix = speaker === null ? '' : `[${speaker.replace(/[[\]]/g, '')}]: `
    return `${index + 1}\n${formatTime(startMs, ',')} --> ${formatTime(endMs, ',')}\n${prefix}${escapeSrt(text)}\n`
  })
  return cues.join('\n')
}

function renderVtt(segments: readonly Segment[]): string {
  const cues = segments.map(({ startMs, endMs, text, speaker }) => {
    const voice = speaker === null ? '' : `<v ${escapeVtt(speaker)}>`
    // A cue that takes no time is not valid here.
    return `\n${formatTime(startMs, '.')} --> ${formatTime(Math.max(endMs, startMs + 1), '.')}\n${voice}${escapeVtt(text)}\n`
  })
  return `WEBVTT\n${cues.join('')}`
}

/** There is no escaping in SRT: for many players an arrow begins a new cue, wherever it stands. */
function escapeSrt(text: string): string {
  return guardTimes(text.replace(/-{2,}>/g, '->'))
}

function escapeVtt(text: string): string {
  return guardTimes(text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'))
}

/** A line that could still be read as times becomes somebody's line in a dialogue. */
function guardTimes(text: string): string {
  const lines = text.split('\n')
  return lines.map((line) => (parseTiming(line) ? `- ${line}` : line)).join('\n')
}

/** A line a segment; who speaks where that changes. */
function renderText(segments: readonly Segment[]): string {
  let before: string | null = null
  const lines = segments.map(({ text, speaker }) => {
    const prefix = speaker !== null && speaker !== before ? `${speaker}: ` : ''
    before = speaker
    return `${prefix}${text.replaceAll('\n', ' ')}\n`
  })
  return lines.join('')
}

function renderJson(segments: readonly Segment[]): string {
  return `${JSON.stringify({
    version: '1.0.0',
    segments: segments.map(({ startMs, endMs, text, speaker, suspect }) => ({
      ...(speaker !== null && { speaker }),
      startTime: startMs / 1000,
      endTime: endMs / 1000,
      body: text,
      ...(suspect.length > 0 && { suspect }),
    })),
  })}\n`
}
