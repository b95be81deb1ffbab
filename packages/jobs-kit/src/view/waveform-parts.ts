import type { ResultContext, ResultPart } from '@sidelinja/jobs-core/admin'
import { readWaveform } from '../storage/waveforms/read-waveform.ts'
import { peaksOf } from './peaks.ts'
import { words } from './words.ts'

/** The waveform of a medium as it stands, and the job that made it; nothing where there is none. */
export async function waveformParts(
  { db, job }: Pick<ResultContext<unknown>, 'db' | 'job'>,
  mediaNodeId: string,
): Promise<{ parts: ResultPart[]; jobId: string | null }> {
  const waveform = await readWaveform(db, job.collectionNodeId, mediaNodeId, 'overview')
  const peaks = waveform && peaksOf(waveform.content)
  if (!peaks || peaks.length === 0) return { parts: [], jobId: null }
  return { parts: [{ kind: 'waveform', title: words.waveform, durationMs: waveform.durationMs, peaks }], jobId: waveform.jobId }
}
