import { byJob, type History, isClaim, isExit, type JobChange, type ProcessEvent, type Violation } from '../history/history.ts'

/** A second or later start of one job, and the reason its history gives for it. */
export interface Repeat {
  job: string
  run: number
  /** The reason of the row in job_attempts that ended the run before; undefined: no row explains it. */
  why: string | undefined
}

/** Every start after a job's first, each with the row that explains it. */
export function findRepeats(history: History): Repeat[] {
  const rows = byJob(history.attempts)
  const exits = byJob(history.changes.filter(isExit))
  return [...byJob(history.events.filter(({ kind }) => kind === 'start'))].flatMap(([job, starts]) =>
    pairs(starts).map(([before, again]) => {
      const left = exits.get(job)?.some(({ run }) => run === before.run)
      const row = rows.get(job)?.find(({ run, reason }) => run === before.run && reason !== 'retried_by_admin')
      const admin = rows.get(job)?.find(({ run, reason }) => run === before.run && reason === 'retried_by_admin')
      const why = before.run !== again.run && left ? (row ?? admin)?.reason : undefined
      return { job, run: again.run ?? 0, why }
    }),
  )
}

/**
 * I4: a second start of a job needs the end of the run before it, and a row that says why. An expired lease really was expired when the
 * worker was declared dead; nobody who was declared dead claims, and nothing starts that was not claimed.
 */
export function repeatsAreExplained(history: History): Violation[] {
  const unexplained = findRepeats(history)
    .filter(({ why }) => why === undefined)
    .map(({ job, run }) => ({ job, text: `run ${run} started, and no row says why the run before it was not enough` }))
  return [...unexplained, ...unclaimedStarts(history), ...falseDeaths(history)].map((violation) => ({ invariant: 'I4', ...violation }))
}

type Finding = Omit<Violation, 'invariant'>

function unclaimedStarts({ changes, events }: History): Finding[] {
  const claimed = new Set(changes.filter(isClaim).map(({ job, run }) => `${job}:${run}`))
  const starts = events.filter(({ kind }) => kind === 'start')
  return starts
    .filter(({ job, run }) => !claimed.has(`${job}:${run}`))
    .map(({ job = '', run }) => ({ job, text: `run ${run} started unclaimed` }))
}

function falseDeaths({ changes, deaths }: History): Finding[] {
  const diedAt = new Map(deaths.map(({ worker, deadAt }) => [worker, deadAt]))
  const early = deaths.filter(({ leaseExpiresAt, deadAt }) => deadAt < leaseExpiresAt)
  const claims = changes.filter((change) => isClaim(change) && change.at > (diedAt.get(change.worker ?? '') ?? Number.POSITIVE_INFINITY))
  // A settle keeps worker_id, a rescue clears it.
  const rescues = changes.filter((change) => isExit(change) && change.worker === null)
  return [
    ...early.map(({ worker }) => ({ text: `worker ${worker} was declared dead before its lease was over` })),
    ...claims.map(({ job, worker }) => ({ job, text: `was claimed by ${worker}, which had been declared dead` })),
    ...rescues.filter((change) => !(change.at >= (diedAt.get(change.oldWorker ?? '') ?? Number.POSITIVE_INFINITY))).map(fromTheLiving),
  ]
}

function fromTheLiving({ job, oldWorker }: JobChange): Finding {
  return { job, text: `was taken from ${oldWorker}, which had not been declared dead` }
}

function pairs(starts: readonly ProcessEvent[]): [ProcessEvent, ProcessEvent][] {
  const ordered = starts.toSorted((a, b) => (a.run ?? 0) - (b.run ?? 0))
  return ordered.slice(1).map((again, index) => [ordered[index] as ProcessEvent, again])
}
