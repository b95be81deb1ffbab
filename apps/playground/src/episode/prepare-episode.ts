import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { whisperTranscribe } from '@sidelinja/handler-whisper-transcribe/job'
import { enqueue } from '@sidelinja/jobs-core'
import type pg from 'pg'
import { COLLECTION_ID, EPISODE_ID } from '../collection.ts'
import { keepFile } from '../keep-file.ts'

/** Below the media root. */
const EPISODE_PATH = 'episode.mp3'
const shipped = new URL('../../samples/episode.mp3', import.meta.url)

/** Makes the episode's node and file where they are missing. */
export async function prepareEpisode(pool: pg.Pool, mediaRoot: string): Promise<void> {
  if (!existsSync(join(mediaRoot, EPISODE_PATH))) await keepFile(mediaRoot, EPISODE_PATH, await readFile(shipped))
  await pool.query(`insert into nodes (id, kind, title) values ($1, 'episode', 'Sample episode') on conflict (id) do nothing`, [EPISODE_ID])
}

/** Asks for the episode's transcript, and subtitles, a waveform and an analysis after it; undefined when an earlier start has had it all. */
export async function enqueueEpisode(pool: pg.Pool): Promise<string | undefined> {
  const { rows } = await pool.query<{ done: boolean }>(
    `select exists (select from media_waveforms where collection_node_id = $1 and media_node_id = $2)
        and exists (select from media_subtitles where collection_node_id = $1 and media_node_id = $2)
        and exists (select from media_analyses where collection_node_id = $1 and media_node_id = $2) as done`,
    [COLLECTION_ID, EPISODE_ID],
  )
  if (rows[0]?.done) return undefined
  const followUps = ['srt_parse', 'generate_waveform', 'openrouter_analyze']
  const payload = { audioPath: EPISODE_PATH, mediaNodeId: EPISODE_ID, language: 'en', followUps }
  const unique = { key: 'sample episode', until: 'finished' as const }
  return (await enqueue(pool, whisperTranscribe, payload, { collectionNodeId: COLLECTION_ID, unique })).id
}
