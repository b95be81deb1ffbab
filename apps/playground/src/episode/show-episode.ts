import type { Analysis } from '@sidelinja/handler-openrouter-analyze/job'
import { readAnalysis, readSegments, readSubtitles, readWaveform, type StorageDatabase } from '@sidelinja/jobs-kit/storage'
import { COLLECTION_ID, EPISODE_ID } from '../collection.ts'
import { formatTable } from '../table.ts'
import { drawWaveform } from './draw-waveform.ts'

const FIRST_SEGMENTS = 4
const COLUMNS = 72

/** The transcript's beginning, the subtitle files and the waveform, as text; '' when there is none of it. */
export async function showEpisode(db: StorageDatabase): Promise<string> {
  const segments = await readSegments(db, COLLECTION_ID, EPISODE_ID)
  if (segments.length === 0) return ''
  const rows = segments
    .slice(0, FIRST_SEGMENTS)
    .map(({ startMs, endMs, text }) => [(startMs / 1_000).toFixed(2), (endMs / 1_000).toFixed(2), shorten(text)])
  const vtt = await readSubtitles(db, COLLECTION_ID, EPISODE_ID, 'vtt')
  const analysis = (await readAnalysis(db, COLLECTION_ID, EPISODE_ID))?.content as Analysis | undefined
  const waveform = await readWaveform(db, COLLECTION_ID, EPISODE_ID, 'overview')
  return [
    `\nTranscript of the sample episode, the first of ${segments.length} segments\n`,
    formatTable(['from', 'to', 'text'], rows),
    ...(vtt ? [`\nSubtitles as SRT, VTT, text and JSON: the VTT has ${vtt.content.length} characters`] : []),
    ...(waveform ? [`\nWaveform, ${(waveform.durationMs / 1_000).toFixed(1)} s\n\n${drawWaveform(waveform.content, COLUMNS)}`] : []),
    ...(analysis ? [describeAnalysis(analysis)] : []),
    '',
  ].join('\n')
}

function describeAnalysis({ title, description, chapters, quotes }: Analysis): string {
  const lines = chapters.map((chapter) => `  ${(chapter.startMs / 1_000).toFixed(0).padStart(4)} s  ${shorten(chapter.title)}`)
  return [
    `\nAnalysis\n`,
    `  ${shorten(title)}`,
    `  ${shorten(description)}`,
    '',
    ...lines,
    ...quotes.slice(0, 1).map(({ text }) => `\n  “${shorten(text)}”`),
  ].join('\n')
}

function shorten(text: string): string {
  const line = text.replaceAll('\n', ' ')
  return line.length <= COLUMNS ? line : `${line.slice(0, COLUMNS - 1)}…`
}
