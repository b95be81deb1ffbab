import type { Note } from '../history/process-log.ts'
import { killPoints } from './kill-points.ts'
import type { ProcessOptions } from './options.ts'
import { type Answer, type Statement, watchStatements } from './watch-statements.ts'

type HandlerMoment = 'start' | 'middle' | 'effect' | 'write'

/** Called by handlers where they can be killed. */
export type AtMoment = (moment: HandlerMoment) => void

/** Sees to it that this process dies where its options say, as an out-of-memory killer would end it: nothing of it runs after. */
export function killAt(kill: ProcessOptions['kill'], note: (note: Note) => void): AtMoment {
  countLateWrites(note)
  const point = killPoints.find(({ name }) => name === kill?.point)
  if (kill === undefined || point === undefined) return () => {}
  let left = kill.nth
  const reached = () => {
    if (--left > 0) return
    note({ kind: 'kill', what: kill.point })
    process.kill(process.pid, 'SIGKILL')
  }
  const { at } = point
  if ('handler' in at) return (moment) => moment === at.handler && reached()
  const look = (moment: string) => (statement: Statement, answer?: Answer) => {
    if (moment === at.moment && at.statement(statement, answer)) reached()
  }
  watchStatements({ before: look('before'), sent: look('sent'), answered: look('answered') })
  return () => {}
}

/** A settle that found no row asks what became of its run; `lost` means that the fence kept a late write out. */
function countLateWrites(note: (note: Note) => void): void {
  watchStatements({
    before() {},
    sent() {},
    answered(statement, answer) {
      if (statement.name !== 'jobs_find_runs') return
      for (const { id, fate } of answer?.rows ?? []) if (fate === 'lost') note({ kind: 'late', job: String(id) })
    },
  })
}
