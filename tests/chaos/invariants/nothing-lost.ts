import { type History, isFinal, type JobRow, type ProcessEvent, type Violation } from '../history/history.ts'

const writing = 'chaos_write'

/**
 * I1: every acknowledged enqueue is there and ends in a final state; one whose transaction was rolled back is not. A completed job was
 * really run, and what its `write` wrote is there once; of a job that is not completed it is not there at all.
 */
export function nothingLost(history: History): Violation[] {
  const jobs = new Map(history.jobs.map((job) => [job.id, job]))
  const tags = new Set(history.jobs.map((job) => job.tag))
  const started = new Set(history.events.filter(({ kind }) => kind === 'start').map(({ job, run }) => `${job}:${run}`))
  const writes = Map.groupBy(history.writes, ({ job }) => job)
  return [
    ...history.events.flatMap((event) => ofEnqueue(event, jobs, tags)),
    ...history.jobs.flatMap((job) => ofJob(job, started)),
    ...history.jobs.flatMap((job) => ofWrite(job, writes.get(job.id) ?? [], tags)),
  ].map((violation) => ({ invariant: 'I1', ...violation }))
}

type Finding = Omit<Violation, 'invariant'>

function ofEnqueue({ kind, job = '', tag }: ProcessEvent, jobs: ReadonlyMap<string, JobRow>, tags: ReadonlySet<string | null>): Finding[] {
  if (kind === 'acknowledged' && !jobs.has(job)) return [{ job, text: `was acknowledged (${tag}) and is not there` }]
  if (kind === 'rolled_back' && tags.has(tag ?? null)) return [{ text: `${tag} is there although its transaction was rolled back` }]
  return []
}

function ofJob({ id, status, run, type }: JobRow, started: ReadonlySet<string>): Finding[] {
  if (!isFinal(status)) return [{ job: id, text: `${type} is still ${status} at the end` }]
  if (status === 'completed' && !started.has(`${id}:${run}`)) return [{ job: id, text: `is completed, but run ${run} never began` }]
  return []
}

function ofWrite(job: JobRow, writes: readonly { run: number }[], tags: ReadonlySet<string | null>): Finding[] {
  if (job.type !== writing) return []
  const expected = job.status === 'completed' ? [job.run] : []
  const found = writes.map(({ run }) => run)
  if (found.join() !== expected.join()) {
    return [{ job: job.id, text: `is ${job.status} by run ${job.run}, and its write is there of runs [${found}]` }]
  }
  if (tags.has(`follow:${job.id}`) !== (expected.length === 1)) return [{ job: job.id, text: 'and its follow-up do not go together' }]
  return []
}
