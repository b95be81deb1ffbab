import type { Note } from '../history/process-log.ts'
import { type KillPoint, killPoints } from './kill-points.ts'
import type { ProcessOptions } from './options.ts'
import { type Answer, type Statement, watchStatements } from './watch-statements.ts'

type HandlerMoment = 'start' | 'middle' | 'effect' | 'write'
type Kill = ProcessOptions['kill']
type Take = (note: Note) => void

/** Sees to it that this process dies at the statement its options name. */
export function killAtStatement(kill: Kill, note: Take): void {
  const at = pointOf(kill)?.at
  if (kill === undefined || at === undefined || 'handler' in at) return
  const reached = countDown(kill, note)
  const look = (moment: string) => (statement: Statement, answer?: Answer) => {
    if (moment === at.moment && at.statement(statement, answer)) reached()
  }
  watchStatements({ before: look('before'), sent: look('sent'), answered: look('answered') })
}

/** Called by handlers where they can be killed. */
export type AtMoment = (moment: HandlerMoment) => void

export function killInHandler(kill: Kill, note: Take): AtMoment {
  const at = pointOf(kill)?.at
  if (kill === undefined || at === undefined || !('handler' in at)) return () => {}
  const reached = countDown(kill, note)
  return (moment) => {
    if (moment === at.handler) reached()
  }
}

/** A settle that found no row asks what became of its run; `lost` means that the fence kept a late write out. */
export function noteLateWrites(note: Take): void {
  watchStatements({
    before() {},
    sent() {},
    answered(statement, answer) {
      if (statement.name !== 'jobs_find_runs') return
      for (const { id, fate } of answer?.rows ?? []) if (fate === 'lost') note({ kind: 'late', job: String(id) })
    },
  })
}

function pointOf(kill: Kill): KillPoint | undefined {
  return killPoints.find(({ name }) => name === kill?.point)
}

/** As an out-of-memory killer would end it: nothing of the process runs after. */
function countDown({ point, nth }: NonNullable<Kill>, note: Take): () => void {
  let left = nth
  return () => {
    if (--left > 0) return
    note({ kind: 'kill', what: point })
    process.kill(process.pid, 'SIGKILL')
  }
}
