import { byJob, type History, type JobChange, type Violation } from '../history/history.ts'

/** I3: a job is completed at most once, from running, by its newest run; and no worker says so of another run. */
export function oneCompletion(history: History): Violation[] {
  const completions = byJob(history.changes.filter(({ to, from }) => to === 'completed' && from !== 'completed'))
  const told = history.events.filter(({ kind }) => kind === 'completed')
  return [
    ...[...completions].flatMap(([job, changes]) => ofJob(job, changes)),
    ...told.flatMap(({ job = '', run, pid }) => {
      if (completions.get(job)?.some((change) => change.run === run)) return []
      return [{ job, text: `process ${pid} says that run ${run} completed it, and the database does not` }]
    }),
  ].map((violation) => ({ invariant: 'I3', ...violation }))
}

function ofJob(job: string, changes: readonly JobChange[]): Omit<Violation, 'invariant'>[] {
  const again = changes.length > 1 ? [{ job, text: `was completed ${changes.length} times` }] : []
  return [...again, ...changes.filter(({ from }) => from !== 'running').map(({ from }) => ({ job, text: `was completed from ${from}` }))]
}
