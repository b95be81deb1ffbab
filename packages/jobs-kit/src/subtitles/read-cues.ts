import { isCutTiming, parseTiming, type Timing } from './timing.ts'

/** What was met besides cues, and is not among them: each once. */
export type SubtitleNote = 'before_first_cue' | 'comments' | 'cut_off'

/** A cue of a file, as it stands there. */
export interface FileCue {
  readonly timing: Timing
  /** The line with the times. */
  readonly timingLine: string
  readonly lines: string[]
}

/** A file taken apart into cues. */
export interface CueFile {
  readonly format: 'srt' | 'vtt'
  readonly cues: FileCue[]
  readonly notes: Set<SubtitleNote>
}

/** Numbers before cues, also `#1`, `1.`; in VTT any single line. */
const NUMBER = /^[#\s]*\d{1,12}[.:)\s]*$/
const COMMENT = /^(NOTE|STYLE|REGION)(?=\s|$)/
/** Settings of a player: `align:start`, `X1:100`. Anything else behind the times is text. */
const SETTINGS = /^(?:[A-Za-z][\w-]*:\S+(?:\s+|$))*$/

interface Reading extends CueFile {
  /** A line that is a cue's number if the next line has its times. */
  held: string | undefined
  /** The newest cue's number. */
  number: number | undefined
  afterBlank: boolean
  /** Within a comment, or the head of a VTT file. */
  skipping: boolean
}

/**
 * The normalising pass: any line ends, any way to write times, blank lines where they should not be, no numbers, comments. What is no
 * time line and no number is text of the cue before it, so that nothing is lost.
 * @param maxCues reading stops one cue later.
 */
export function readCues(text: string, maxCues: number): CueFile {
  const format = /^[\s\ufeff]*WEBVTT(?=\s|$)/.test(text) ? 'vtt' : 'srt'
  const reading: Reading = {
    format,
    cues: [],
    notes: new Set(),
    held: undefined,
    number: undefined,
    afterBlank: true,
    skipping: format === 'vtt',
  }
  for (const line of linesOf(text)) {
    takeLine(reading, line)
    if (reading.cues.length > maxCues) break
  }
  takeEnd(reading, /[\r\n]$/.test(text))
  return reading
}

function* linesOf(text: string): Generator<string> {
  const lines = text.replace(/\r\n?/g, '\n')
  let start = 0
  for (let end = lines.indexOf('\n'); end !== -1; end = lines.indexOf('\n', start)) {
    yield lines.slice(start, end)
    start = end + 1
  }
  if (start < lines.length) yield lines.slice(start)
}

function takeLine(reading: Reading, line: string): void {
  const timing = line === '' ? undefined : parseTiming(line)
  if (timing) takeTiming(reading, timing, line)
  else if (line.trim() === '') takeBlank(reading)
  else if (reading.skipping) return
  else if (reading.format === 'vtt' && reading.afterBlank && COMMENT.test(line)) takeComment(reading)
  else takeText(reading, line)
}

function takeText(reading: Reading, line: string): void {
  release(reading)
  if (mayBeNumber(reading, line)) reading.held = line
  else addText(reading, line)
  reading.afterBlank = false
}

function takeTiming(reading: Reading, timing: Timing, line: string): void {
  reading.number = numberIn(reading.held)
  reading.held = undefined
  const cue: FileCue = { timing, timingLine: line.trim(), lines: [] }
  if (!SETTINGS.test(timing.rest)) cue.lines.push(timing.rest)
  reading.cues.push(cue)
  reading.skipping = false
  reading.afterBlank = false
}

function takeBlank(reading: Reading): void {
  release(reading)
  reading.skipping = false
  reading.afterBlank = true
  const lines = reading.cues.at(-1)?.lines
  if (lines && lines.length > 0 && lines.at(-1) !== '') lines.push('')
}

function takeComment(reading: Reading): void {
  release(reading)
  reading.notes.add('comments')
  reading.skipping = true
}

function mayBeNumber({ format, afterBlank }: Reading, line: string): boolean {
  return NUMBER.test(line) || (format === 'vtt' && afterBlank)
}

/** The held line was text after all. */
function release(reading: Reading): void {
  if (reading.held !== undefined) addText(reading, reading.held)
  reading.held = undefined
}

function addText({ cues, notes }: Reading, line: string): void {
  const cue = cues.at(-1)
  if (cue) cue.lines.push(line)
  else notes.add('before_first_cue')
}

/** A file that broke off in a cue's number or times: they are no text of the cue before. */
function takeEnd(reading: Reading, lineEnded: boolean): void {
  const { cues, notes, held, number } = reading
  const lines = cues.at(-1)?.lines ?? []
  if (number !== undefined && numberIn(held) === number + 1 && lines.at(-1) === '') {
    notes.add('cut_off')
    reading.held = undefined
  }
  release(reading)
  if (cues.length === 0 || lineEnded) return
  if (lines.length === 0) notes.add('cut_off')
  if (!isCutTiming(lines.at(-1) ?? '')) return
  notes.add('cut_off')
  lines.splice(NUMBER.test(lines.at(-2) ?? '') ? -2 : -1)
}

function numberIn(line: string | undefined): number | undefined {
  return line !== undefined && NUMBER.test(line) ? Number(line.replace(/\D/g, '')) : undefined
}
