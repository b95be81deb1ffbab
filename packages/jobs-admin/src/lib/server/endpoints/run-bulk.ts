import { isJobsError } from '@sidelinja/jobs-core'
import { type BulkAction, getBulk, runBulk as runPiece } from '@sidelinja/jobs-core/admin'
import { z } from 'zod'
import { databaseTrouble } from '../http/database-trouble.ts'
import { jsonResponse } from '../http/json-response.ts'
import { problemResponse } from '../http/problem.ts'
import { bulkId } from '../inputs.ts'
import { defineRoute, type RouteContext } from '../route.ts'
import { acting, reading } from '../user-session.ts'
import { viewBulk } from '../views/bulk-view.ts'

/** A request carries out pieces for so long. */
const workMs = 1_500

/**
 * `POST /intentions/run_bulk` with `{ "bulk_id": "<uuid>" }`: carries out a previewed action for a second or two. 200 with the receipt when all is done or it was
 * stopped, 202 with how far it is: post it again then. Posting it twice does nothing twice. To begin counts as an action about many jobs; to go on does not, or
 * nobody with a slow database would ever get to the end.
 */
export const runBulk = defineRoute({
  method: 'POST',
  under: 'intentions',
  path: '/run_bulk',
  right: 'act',
  bucket: 'step',
  body: z.strictObject({ bulk_id: bulkId }),
  run: async (context) => {
    const tooMany = (await hasBegun(context)) ? undefined : context.take('bulk')
    if (tooMany) return problemResponse(tooMany)
    const until = performance.now() + workMs
    let bulk: BulkAction
    let piece = 100
    do [bulk, piece] = await runNext(context, piece)
    while (!isOver(bulk) && performance.now() < until && !context.request.signal.aborted)
    return jsonResponse(viewBulk(bulk), isOver(bulk) ? 200 : 202)
  },
})

/** False as well for one that is not there or not the user's: whoever guesses is slowed down. */
async function hasBegun(context: RouteContext<{ bulk_id: string }>): Promise<boolean> {
  try {
    return (await reading(context, ({ trx }) => getBulk(trx, context.body.bulk_id))).startedAt !== null
  } catch (error) {
    if (isJobsError(error, 'queue')) return false
    throw error
  }
}

function isOver({ finishedAt, abortedAt }: BulkAction): boolean {
  return finishedAt !== null || abortedAt !== null
}

/** A piece that a slow database does not finish in time is tried again smaller; nothing of it was kept. */
async function runNext(context: RouteContext<{ bulk_id: string }>, piece: number): Promise<[BulkAction, number]> {
  try {
    return [await acting(context, ({ trx }) => runPiece(trx, context.body.bulk_id, { piece })), piece]
  } catch (error) {
    if (databaseTrouble(error) !== 'too slow' || piece === 1) throw error
    return runNext(context, Math.max(1, Math.floor(piece / 5)))
  }
}
