import { insertJob, type JobColumns, type TestDatabase } from '@sidelinja/jobs-core/testing'
import { minutesAgo } from './minutes-ago.ts'

export interface SeededCollections {
  /** The reader owns three of them, and sees the fourth. */
  collections: readonly string[]
  foreign: string
}

export const collectionTitles = ['Podkasten på sidelinja', 'Kveldsnytt', 'Arkivet 1998–2004', 'Gjesteredaksjonen']
export const jobTypes = ['srt_parse', 'stats_parse', 'feed_watch', 'url_ingest', 'ai_text_process']

/** A value by its place, the same each time. */
function pick<Value>(values: readonly Value[], index: number): Value {
  return values[(index * 11 + 3) % values.length] as Value
}

/** Jobs that run, wait and are done, over the last hours. */
export async function makeBusyJobs(
  database: TestDatabase,
  { collections, foreign }: SeededCollections,
  workers: readonly string[],
): Promise<void> {
  const [heavy = '', light = ''] = workers
  const make = (columns: JobColumns) => insertJob(database.db, columns)
  const own = (index: number) => pick(collections, index)
  for (let index = 0; index < 46; index++) {
    const created = 6 + index * 5.3
    const type = pick([...jobTypes, 'whisper_transcribe', 'generate_waveform'], index)
    await make({
      ...{
        job_type: type,
        collection_node_id: own(index),
        status: 'completed',
        worker_id: type.startsWith('whisper') ? heavy : light,
        priority: index % 3,
      },
      ...{
        created_at: minutesAgo(created),
        started_at: minutesAgo(created - 0.2),
        completed_at: minutesAgo(created - 0.2 - (1 + (index % 9)) * 0.41),
      },
      ...{ attempts: 1 + (index % 11 === 5 ? 1 : 0), payload: { mediaNodeId: own(index), audioPath: `serie/episode-${100 + index}.mp3` } },
      ...{ result: { segments: 120 + index * 3, seconds: 1800 + index }, correlation_id: `ep-${100 + index}` },
    })
  }
  await make({
    ...{
      job_type: 'whisper_transcribe',
      collection_node_id: own(0),
      status: 'running',
      worker_id: heavy,
      attempts: 2,
      progress: 0.62,
      priority: 5,
    },
    ...{
      progress_text: 'Transkriberer',
      created_at: minutesAgo(14),
      started_at: minutesAgo(4.1),
      payload: { audioPath: 'serie/episode-147.mp3', language: 'nb' },
    },
  })
  await make({
    ...{
      job_type: 'generate_waveform',
      collection_node_id: own(1),
      status: 'running',
      worker_id: heavy,
      progress: 0.18,
      progress_text: 'Leser lyd',
    },
    ...{ created_at: minutesAgo(3), started_at: minutesAgo(0.6) },
  })
  await make({
    job_type: 'url_ingest',
    collection_node_id: own(2),
    status: 'running',
    worker_id: light,
    created_at: minutesAgo(1),
    started_at: minutesAgo(0.3),
  })
  for (let index = 0; index < 7; index++) {
    const at = minutesAgo(0.4 + index * 0.7)
    await make({
      job_type: pick(jobTypes, index),
      collection_node_id: own(index + 1),
      created_at: at,
      scheduled_for: at,
      priority: index % 2 === 0 ? 5 : 0,
    })
  }
  await make({ job_type: 'stats_parse', collection_node_id: own(0), created_at: minutesAgo(2), scheduled_for: minutesAgo(-190) })
  await make({
    job_type: 'srt_parse',
    collection_node_id: own(2),
    status: 'cancelled',
    created_at: minutesAgo(51),
    completed_at: minutesAgo(49),
  })
  await make({
    job_type: 'stats_parse',
    collection_node_id: foreign,
    status: 'completed',
    created_at: minutesAgo(5),
    completed_at: minutesAgo(4),
  })
}

const timeouts = 'Tjenesten svarte ikke innen 120 s (connect ECONNREFUSED 10.0.4.7:8000).'
const noAudio = 'Fila har ikke noe lydspor: «serie/episode-{n}.mp3» er et bilde.'
const tooLong = 'Modellen svarte 413: teksten er lengre enn 128 000 tegn.'
const stack = `Error: connect ECONNREFUSED 10.0.4.7:8000
    at TCPConnectWrap.afterConnect [as oncomplete] (node:net:1637:16)
    at async requestTranscript (file:///srv/worker/transcription/request-transcript.js:41:18)
    at async transcribe (file:///srv/worker/transcription/transcribe.js:22:20)
    at async got (file:///srv/worker/node_modules/got/dist/source/core/index.js:88:3)
    at async run (file:///srv/worker/handlers/whisper-transcribe/handler.js:17:22)`

/** Jobs that failed in three ways, one that waits to be tried again, and one whose worker was lost. */
export async function makeFailures(database: TestDatabase, { collections }: SeededCollections): Promise<void> {
  const groups = [
    { job_type: 'whisper_transcribe', message: timeouts, code: 'ECONNREFUSED', count: 23 },
    { job_type: 'generate_waveform', message: noAudio, code: 'AUDIO_NO_STREAM', count: 6 },
    { job_type: 'ai_text_process', message: tooLong, code: 'GATEWAY_TOO_LARGE', count: 3 },
  ]
  for (const { job_type, message, code, count } of groups) {
    for (let index = 0; index < count; index++) {
      const job = await insertJob(database.db, {
        ...{
          job_type,
          status: 'error',
          collection_node_id: pick(collections, index),
          error_group: Buffer.from(`${code} ${job_type}`).toString('hex').slice(0, 32),
        },
        ...{
          error_msg: message.replace('{n}', String(200 + index)),
          attempts: 3,
          created_at: minutesAgo(60 + index * 4),
          started_at: minutesAgo(50 + index * 4),
        },
        ...{
          completed_at: minutesAgo(48 + index * 4),
          payload: { audioPath: `serie/episode-${200 + index}.mp3`, api_key: 'sk-hemmelig-0123456789abcdef' },
        },
      })
      await writeHistory(database, job.id, { message: message.replace('{n}', String(200 + index)), code })
    }
  }
  const lost = await insertJob(database.db, {
    ...{
      job_type: 'url_ingest',
      status: 'retry',
      attempts: 2,
      collection_node_id: collections[0] as string,
      rescues: 1,
      error_msg: timeouts,
    },
    ...{ created_at: minutesAgo(9), started_at: minutesAgo(3), scheduled_for: minutesAgo(-1.5) },
  })
  await database.query(`update job_attempts set end_reason = 'lease_expired', error_msg = null where job_id = $1 and run = 1`, [lost.id])
}

/** Attempts with times of their own, as the queue would have left them. */
async function writeHistory(database: TestDatabase, id: string, { message, code }: { message: string; code: string }): Promise<void> {
  await database.query(
    `update job_attempts a set error_code = $2, error_msg = $3, error_stack = $4, worker_id = gen_random_uuid(),
       started_at = q.completed_at - make_interval(secs => (4 - a.run) * 95), ended_at = q.completed_at - make_interval(secs => (3 - a.run) * 95 + (3 - a.run) * 4)
     from job_queue q where q.id = a.job_id and q.id = $1`,
    [id, code, message, stack],
  )
}
