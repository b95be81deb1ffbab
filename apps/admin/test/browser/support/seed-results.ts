import { insertJob, insertNode, type TestDatabase } from '@sidelinja/jobs-core/testing'
import { replaceSegments, upsertWaveforms } from '@sidelinja/jobs-kit/storage'
import { minutesAgo } from './minutes-ago.ts'
import type { SeededCollections } from './seed-jobs.ts'
import { analysis, clip, clipText, said } from './texts.ts'

const durationMs = 34 * 60_000 + 12_000

/** Finished jobs of an episode and a clip, with what they left in the tables that handlers write. */
export async function makeResults(database: TestDatabase, { collections }: SeededCollections): Promise<void> {
  const [collection = ''] = collections
  const { id: mediaNodeId } = await insertNode(database.db, { kind: 'episode', title: 'Ferja som aldri kom' })
  const finish = finisher(database, collection)
  const audio = { mediaNodeId, audioPath: 'serie/episode-151.mp3' }
  const segments = episode()

  const transcription = await finish('whisper_transcribe', audio, {
    ...{ segments: segments.length, durationMs, language: 'nb', note: null, pieces: 4, gentlePieces: 0, cutShort: false },
    suspect: { silence: 1, repeated: 1 },
  })
  await replaceSegments(database.db, collection, mediaNodeId, { jobId: transcription, language: 'nb', segments })
  const level = { points: 1_200, samplesPerPixel: 13_680 }
  const drawing = await finish('generate_waveform', audio, {
    durationMs,
    sampleRate: 8_000,
    cutShort: false,
    overview: level,
    detail: level,
  })
  const content = JSON.stringify({
    version: 2,
    channels: 1,
    sample_rate: 8_000,
    samples_per_pixel: 13_680,
    bits: 8,
    length: 1_200,
    data: peaks(),
  })
  await upsertWaveforms(database.db, collection, mediaNodeId, { jobId: drawing, durationMs, levels: [{ level: 'overview', content }] })
  await finish(
    'openrouter_analyze',
    { mediaNodeId },
    { analysis, note: null, segments: segments.length, parts: 1, dropped: { quotes: 1 }, cut: {} },
  )
  await finishClip(database, collection, finish)
}

type Finish = (type: string, payload: object, result: object) => Promise<string>

function finisher(database: TestDatabase, collection: string): Finish {
  let minutes = 40
  return async (job_type, payload, result) => {
    minutes -= 4
    const times = { created_at: minutesAgo(minutes), started_at: minutesAgo(minutes - 0.1), completed_at: minutesAgo(minutes - 3) }
    const columns = { job_type, collection_node_id: collection, status: 'completed', attempts: 1, ...times } as const
    return (await insertJob(database.db, { ...columns, payload: JSON.stringify(payload), result: JSON.stringify(result) })).id
  }
}

async function finishClip(database: TestDatabase, collection: string, finish: Finish): Promise<void> {
  const { id: nodeId } = await insertNode(database.db, { kind: 'research', title: 'Ferjesambandet over fjorden' })
  const told = {
    keyClaims: clip.keyClaims.length,
    leftOut: { lines: 3, characters: 140 },
    parts: 1,
    dropped: { claims: 0, lines: 0 },
    cut: {},
  }
  const jobId = await finish('research_clip', { text: clipText }, { nodeId, ...told })
  await database.query('update nodes set content = $2, metadata = $3 where id = $1', [
    nodeId,
    clipText,
    JSON.stringify({ clip: { ...clip, jobId } }),
  ])
  await database.query(`insert into edges (source_id, target_id, kind) values ($1, $2, 'contains')`, [collection, nodeId])
}

/** 412 segments of two people, of which two cannot be believed. */
function episode() {
  return Array.from({ length: 412 }, (_, index) => {
    const startMs = index * 4_980
    const { speaker, text } = said[index % said.length] as (typeof said)[number]
    const suspect = index === 4 ? (['silence'] as const) : index === 7 ? (['repeated'] as const) : []
    const measured = { avgLogprob: null, noSpeechProb: null, compressionRatio: null, language: null, raw: null }
    return { ...measured, startMs, endMs: startMs + 4_700, text: index === 4 ? 'Teksting av Nicolai Winther' : text, speaker, suspect }
  })
}

/** Talk: phrases with pauses between, a jingle at both ends. The same each time. */
function peaks(): number[] {
  return Array.from({ length: 1_200 }, (_, index) => {
    const ends = index < 40 || index > 1_160
    const phrase = Math.max(0, Math.sin(index / 9) + Math.sin(index / 37) * 0.7 + 0.35)
    const grain = 0.55 + 0.45 * Math.abs(Math.sin(index * 12.9898) * 43.758 - Math.trunc(Math.sin(index * 12.9898) * 43.758))
    const level = Math.min(120, Math.round((ends ? 100 : 62 * phrase) * grain))
    return [-Math.round(level * 0.92), level]
  }).flat()
}
