import { byJob, type History, isExit, isWaiting, type JobChange, type ProcessEvent, type Violation } from '../history/history.ts'

/**
 * I7: a change of state and its row in job_attempts go together. Every end of a run but success has one row; what never started may
 * go back without. Every row belongs to such an end. An admin was told `done` as often as it was done.
 */
export function historyIsWhole(history: History): Violation[] {
  const exits = history.changes.filter(isExit)
  const rows = Map.groupBy(
    history.attempts.filter(({ reason }) => reason !== 'retried_by_admin'),
    ({ job, run }) => `${job}:${run}`,
  )
  const started = new Set(history.events.filter(({ kind }) => kind === 'start').map(({ job, run }) => `${job}:${run}`))
  const ended = new Set(exits.map(({ job, run }) => `${job}:${run}`))
  return [
    ...exits.flatMap((exit) => ofExit(exit, rows.get(`${exit.job}:${exit.run}`) ?? [], started)),
    ...[...rows].filter(([key]) => !ended.has(key)).map(([key]) => ({ job: key, text: 'has a row for a run that did not end' })),
    ...ofAdmins(history),
  ].map((violation) => ({ invariant: 'I7', ...violation }))
}

type Finding = Omit<Violation, 'invariant'>

function ofExit(exit: JobChange, rows: readonly { reason: string }[], started: ReadonlySet<string>): Finding[] {
  const { job, run, to } = exit
  const handedBack = exit.attempts === exit.oldAttempts - 1
  const mayLack = to === 'completed' || (handedBack && !started.has(`${job}:${run}`))
  const wanted = to === 'completed' ? 0 : 1
  if (rows.length === wanted || (mayLack && rows.length === 0)) return []
  return [{ job, text: `run ${run} ended as ${to} with ${rows.length} rows (${rows.map(({ reason }) => reason)})` }]
}

function ofAdmins(history: History): Finding[] {
  const answers = byJob(history.events.filter(({ kind }) => kind === 'answer'))
  const changes = byJob(history.changes)
  const rows = byJob(history.attempts.filter(({ reason }) => reason === 'retried_by_admin'))
  return [...changes].flatMap(([job, ofJob]) => {
    const retried = ofJob.filter(isRetry).length
    const cancelled = ofJob.filter(({ from, to }) => from !== null && isWaiting(from) && to === 'cancelled').length
    const noted = rows.get(job)?.length ?? 0
    const uneven = retried === noted ? [] : [{ job, text: `was retried by hand ${retried} times and has ${noted} rows of it` }]
    return [...uneven, ...ofAnswers(job, answers.get(job) ?? [], { retried, cancelled })]
  })
}

/** An answer that never came may have been yes. */
function ofAnswers(job: string, answers: readonly ProcessEvent[], done: { retried: number; cancelled: number }): Finding[] {
  const check = (action: string, yes: string, times: number): Finding[] => {
    const said = answers.flatMap(({ what = '' }) => (what.startsWith(`${action}:`) ? [what.slice(action.length + 1)] : []))
    const told = said.filter((word) => word === yes).length
    const unanswered = 2 * said.filter((word) => word === 'asked').length - said.length
    if (times >= told && times <= told + unanswered) return []
    return [{ job, text: `${action} was answered ${yes} ${told} times and done ${times} times` }]
  }
  return [...check('retry', 'done', done.retried), ...check('cancel', 'cancelled', done.cancelled)]
}

/** By hand: also from `retry`, where only the attempts tell it from a job that was replaced. */
function isRetry({ from, to, oldAttempts, attempts, replaced }: JobChange): boolean {
  if (from === 'error' || from === 'cancelled') return to === 'pending'
  return from === 'retry' && to === 'pending' && !replaced && oldAttempts > 0 && attempts === 0
}
