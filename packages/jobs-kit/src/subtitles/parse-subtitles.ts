import { PermanentError } from '@sidelinja/jobs-core'
import { parseSync } from 'subtitle'
import { decodeText, type TextEncoding } from './decode-text.ts'
import { toPlainText } from './plain-text.ts'
import { type CueFile, type FileCue, readCues, type SubtitleNote } from './read-cues.ts'
import type { RoughSegment, SuspectReason } from './segment.ts'
import { storable } from './storable.ts'
import { formatTime, MAX_MS } from './timing.ts'

/** A day of talk has some 20,000 cues. */
const MAX_CUES = 200_000
/** `parseSubtitles` reads at most so many bytes, or characters: room for 200,000 cues with a short line each. */
export const MAX_SUBTITLE_BYTES = 16 * 1024 * 1024

/** What looks like the time line of a cue, but could not be read as one. */
const STRAY_TIME = /\d:\d\d[^\n]{0,20}--?>/

/** An SRT or VTT file, read. */
export interface ParsedSubtitles {
  /** Every cue, in the order of the file, also empty ones. `tidySegments` puts them in order. */
  readonly segments: RoughSegment[]
  readonly format: 'srt' | 'vtt'
  /** How the bytes were read; undefined for a text. */
  readonly encoding: TextEncoding | undefined
  /** What was met besides cues and is not among them; each once, sorted. */
  readonly notes: SubtitleNote[]
}

/**
 * Reads SRT or VTT, as well as people and programs write it. An empty file has no cues.
 * @throws PermanentError `SUBTITLES_INVALID` when a file that is not empty has no cue, `SUBTITLES_TOO_LARGE` for more than 16 MiB or 200,000 cues.
 */
export function parseSubtitles(source: Uint8Array | string): ParsedSubtitles {
  if (source.length > MAX_SUBTITLE_BYTES) throw tooLarge(`${source.length} ${typeof source === 'string' ? 'characters' : 'bytes'}`)
  const { text, encoding } = typeof source === 'string' ? { text: source, encoding: undefined } : decodeText(source)
  const file = readCues(text, MAX_CUES)
  if (file.cues.length > MAX_CUES) throw tooLarge(`more than ${MAX_CUES} cues`)
  if (file.cues.length === 0) checkEmpty(text, file)
  return { segments: toSegments(file), format: file.format, encoding, notes: [...file.notes].toSorted() }
}

/** Blank, or a VTT file that says there is nothing: its head, maybe comments. */
function checkEmpty(text: string, { notes, format }: CueFile): void {
  if (format === 'vtt' && !notes.has('before_first_cue')) return
  const start = text.slice(0, 1000).trimStart()
  if (start === '' && text.trim() === '') return
  throw new PermanentError(
    'SUBTITLES_INVALID',
    `Expected subtitles (SRT or VTT) with at least one line such as 00:00:01,000 --> 00:00:02,000, got ${describe(start)} of ${text.length} characters without one. Look at what wrote it.`,
  )
}

function describe(start: string): string {
  if (start.startsWith('<')) return 'a page of HTML or XML'
  return /^[{[]/.test(start) ? 'JSON' : 'a text'
}

/** Such a line within a text would end the cue for the library; the sign before it is nobody's (private use). */
const GUARDED = /^(?=\ue000*NOTE)/gm
const GUARD = /^\ue000(?=\ue000*NOTE)/gm

/** The library gets each cue in its plainest form, with its place as a setting, by which the cue is known afterwards. */
function toSegments({ cues, format }: CueFile): RoughSegment[] {
  const nodes = parseSync(cues.map(toCanonical).join(''))
  return nodes.flatMap((node) => {
    const cue = node.type === 'cue' ? cues[Number(node.data.settings)] : undefined
    return cue && node.type === 'cue' ? [toSegment(cue, node.data, format)] : []
  })
}

function toCanonical({ timing, lines }: FileCue, index: number): string {
  const [start, end] = [timing.startMs, timing.endMs].map((ms) => formatTime(inRange(ms), ','))
  return `${index + 1}\n${start} --> ${end} ${index}\n${lines.join('\n').replace(GUARDED, '\ue000')}\n\n`
}

function toSegment(cue: FileCue, { start, end, text }: { start: number; end: number; text: string }, format: 'srt' | 'vtt'): RoughSegment {
  const { timing, timingLine } = cue
  const marked = text.replace(GUARD, '')
  const plain = toPlainText(marked, format)
  const suspect: SuspectReason[] = []
  if (timing.odd) suspect.push('odd_time')
  if (start !== timing.startMs || end !== timing.endMs) suspect.push('out_of_range')
  if (STRAY_TIME.test(marked)) suspect.push('stray_time')
  const raw = {
    ...((suspect.length > 0 || timing.rest !== '') && { timing: storable(timingLine) }),
    ...(plain.text !== marked && { text: storable(marked) }),
  }
  return { startMs: start, endMs: end, ...plain, suspect, raw: Object.keys(raw).length > 0 ? raw : null }
}

function inRange(ms: number): number {
  return Math.min(Math.max(ms, 0), MAX_MS)
}

function tooLarge(size: string): PermanentError {
  return new PermanentError(
    'SUBTITLES_TOO_LARGE',
    `Expected subtitles of at most ${MAX_SUBTITLE_BYTES} bytes and ${MAX_CUES} cues, got ${size}. Cut the file into parts, each for a recording of its own.`,
  )
}
