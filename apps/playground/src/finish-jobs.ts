import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { PlaygroundRun } from './playground-run.ts'
import { SampleFailedError } from './sample-failed-error.ts'

const LIMIT_MS = 300_000
const LOOK_EVERY_MS = 100

interface LineJob {
  id: string
  job_type: string
  status: string
  error_msg: string | null
  progress: string | null
}

/** Waits for the samples' jobs and those that follow them, and prints how far each is. When one fails, `--once` fails too. */
export async function finishJobs(pool: pg.Pool, ids: readonly string[], { once, print, signal }: PlaygroundRun): Promise<void> {
  const deadline = performance.now() + LIMIT_MS
  const shown = new Map<string, string>()
  for (;;) {
    const jobs = await readJobs(pool, ids)
    for (const { id, job_type, status, progress } of jobs) {
      if (status !== 'running' || progress === null || progress === shown.get(id)) continue
      print(`${job_type} ${progress}`)
      shown.set(id, progress)
    }
    const problem =
      findProblem(jobs) ?? (performance.now() > deadline ? `The samples were not done after ${LIMIT_MS / 1_000} s.` : undefined)
    if (problem !== undefined && once) throw new SampleFailedError(problem)
    if (problem !== undefined) return print(problem)
    if (jobs.every(({ status }) => status === 'completed')) return
    await sleep(LOOK_EVERY_MS, undefined, { signal })
  }
}

function findProblem(jobs: readonly LineJob[]): string | undefined {
  const failed = jobs.find(({ status }) => status === 'error' || status === 'cancelled')
  return failed && `The sample's ${failed.job_type} job ended as ${failed.status}: ${failed.error_msg ?? 'no reason given'}`
}

async function readJobs(pool: pg.Pool, ids: readonly string[]): Promise<LineJob[]> {
  const { rows } = await pool.query<LineJob>(
    `select id, job_type, status, error_msg, round((progress * 100)::numeric) || ' %' || coalesce(' ' || progress_text, '') as progress
     from job_queue where id = any ($1) or correlation_id = any ($1::text[]) order by sequence`,
    [ids],
  )
  return rows
}
