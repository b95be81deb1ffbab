import { setTimeout as sleep } from 'node:timers/promises'
import type { Result } from '@sidelinja/handler-stats-parse/job'
import type pg from 'pg'
import type { PlaygroundRun } from '../playground-run.ts'
import { SampleFailedError } from '../sample-failed-error.ts'

const LIMIT_MS = 60_000
const LOOK_EVERY_MS = 50

/** Waits for the sample's job; prints its progress and what it did. When it fails, `--once` fails too; otherwise there is something to look into. */
export async function finishStatistics(pool: pg.Pool, jobId: string, { once, print, signal }: PlaygroundRun): Promise<void> {
  try {
    print(summary(await waitForEnd(pool, jobId, { print, signal })))
  } catch (error) {
    if (once || !(error instanceof SampleFailedError)) throw error
    print(error.message)
  }
}

async function waitForEnd(pool: pg.Pool, jobId: string, { print, signal }: Pick<PlaygroundRun, 'print' | 'signal'>): Promise<Result> {
  const deadline = performance.now() + LIMIT_MS
  let shown = ''
  for (;;) {
    const { status, error_msg, progress, result } = await readJob(pool, jobId)
    if (status === 'completed' && result) return result
    if (status === 'error' || status === 'cancelled')
      throw new SampleFailedError(`The sample's job ended as ${status}: ${error_msg ?? 'no reason given'}`)
    if (performance.now() > deadline) {
      throw new SampleFailedError(
        `The sample's job was not done after ${LIMIT_MS / 1000} s (${status}${error_msg ? `: ${error_msg}` : ''}).`,
      )
    }
    if (progress && progress !== shown) print(`stats_parse ${progress}`)
    shown = progress ?? shown
    await sleep(LOOK_EVERY_MS, undefined, { signal })
  }
}

interface JobState {
  status: string
  error_msg: string | null
  progress: string | null
  result: Result | null
}

async function readJob(pool: pg.Pool, jobId: string): Promise<JobState> {
  const { rows } = await pool.query<JobState>(
    `select status, error_msg, result, round((progress * 100)::numeric) || ' %' || coalesce(' ' || progress_text, '') as progress from job_queue where id = $1`,
    [jobId],
  )
  return rows[0] ?? { status: 'cancelled', error_msg: 'it was deleted', progress: null, result: null }
}

function summary({ lines, counted, skipped }: Result): string {
  if (lines === 0) return '0 lines read: nothing new since the last start'
  const leftOut = Object.entries(skipped).map(([reason, count]) => `${reason} ${count}`)
  return `${lines} lines read, ${counted} counted, left out: ${leftOut.join(', ') || 'none'}`
}
