import { decideOutcome } from '../policy/outcome.ts'
import { awaitClaims } from '../queue/await-claims.ts'
import { findStrayRuns } from '../queue/find-stray-runs.ts'
import type { ClaimedJob } from '../queue/settle-and-claim.ts'
import { settleEndings } from '../queue/settle-endings.ts'
import type { Runtime } from './runtime.ts'

/**
 * A claim whose answer was lost may have committed. What it took, and nobody here knows, is handed back: it would stay `running`
 * for as long as this worker lives.
 * @param held gives every job this worker holds. Asked for at the last moment: a handler
 * that ends meanwhile moves its job from one list to another, and a job in neither would be handed back and run twice.
 */
export async function handBackStrays(runtime: Runtime, held: () => ClaimedJob[]): Promise<void> {
  const { queue, session } = runtime
  await awaitClaims(queue, session.id)
  const strays = await findStrayRuns(
    queue,
    session.id,
    held().map((job) => job.id),
  )
  if (strays.length === 0) return
  const outcome = decideOutcome({ kind: 'unstarted' }, 1, 0)
  await settleEndings(
    queue,
    strays.map((stray) => ({ id: stray.id, run: stray.run, outcome })),
  )
}
