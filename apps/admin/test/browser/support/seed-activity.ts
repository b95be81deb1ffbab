import type { TestDatabase } from '@sidelinja/jobs-core/testing'

interface Flow {
  type: string
  perMinute: number
  /** Of so many jobs one fails for good; 0: none. */
  failsEvery: number
  /** How long they usually run, in milliseconds. */
  usual: number
}

const flows: readonly Flow[] = [
  { type: 'whisper_transcribe', perMinute: 2, failsEvery: 9, usual: 190_000 },
  { type: 'generate_waveform', perMinute: 3, failsEvery: 0, usual: 8_200 },
  { type: 'openrouter_analyze', perMinute: 2, failsEvery: 14, usual: 21_000 },
  { type: 'url_ingest', perMinute: 9, failsEvery: 40, usual: 1_400 },
  { type: 'stats_parse', perMinute: 14, failsEvery: 0, usual: 320 },
]

/** What workers would have counted over the last day: waves, and here and there a failure. The same each time. */
export async function seedActivity(database: TestDatabase, collection: string, { fails }: { fails: boolean }): Promise<void> {
  for (const [index, { type, perMinute, failsEvery, usual }] of flows.entries()) {
    const every = fails ? failsEvery : 0
    await database.query(
      `insert into job_activity (collection_node_id, span, starts_at, job_type, completed, failed, retried)
       select $1, s.span, date_trunc(s.span, now(), 'UTC') - n * ('1 ' || s.span)::interval, $2,
         greatest(0, round(s.times * $3::int * (1 + 0.7 * sin((n + $5::int * 3) / 3.0)) + (n * 7 + $5::int) % 3 - 1))::int,
         case when $4::int > 0 and (n * 5 + $5::int) % $4::int = 0 then s.times * (1 + n % 2) else 0 end,
         case when $4::int > 0 and (n * 3 + $5::int) % $4::int = 1 then s.times else 0 end
       from (values ('minute', 1), ('hour', 40)) s (span, times), generate_series(0, 29) n`,
      [collection, type, perMinute, every, index],
    )
    await database.query(
      `insert into job_durations (collection_node_id, starts_at, job_type, measure, bucket, jobs)
       select $1, date_trunc('hour', now(), 'UTC'), $2, m.measure,
         least(63, greatest(0, floor(2 * log(2.0, m.usual::numeric))::int + n - 2)), case n when 2 then 60 when 1 then 25 when 3 then 20 else 4 end
       from (values ('run', $3::int), ('wait', 6)) m (measure, usual), generate_series(0, 6) n`,
      [collection, type, usual],
    )
  }
}
