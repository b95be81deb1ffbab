import { type BulkAction, runBulk as runPiece } from '@sidelinja/jobs-core/admin'
import { z } from 'zod'
import { databaseTrouble } from '../http/database-trouble.ts'
import { jsonResponse } from '../http/json-response.ts'
import { bulkId } from '../inputs.ts'
import { defineRoute, type RouteContext } from '../route.ts'
import { acting } from '../user-session.ts'
import { viewBulk } from '../views/bulk-view.ts'

/** A request carries out pieces for so long. */
const workMs = 1_500

/**
 * `POST /intentions/run_bulk` with `{ "bulk_id": "<uuid>" }`: carries out a previewed action for a second or two. 200 with the receipt when all is done or it was
 * stopped, 202 with how far it is: post it again then. Posting it twice does nothing twice.
 */
export const runBulk = defineRoute({
  method: 'POST',
  under: 'intentions',
  path: '/run_bulk',
  right: 'act',
  bucket: 'bulk',
  body: z.strictObject({ bulk_id: bulkId }),
  run: async (context) => {
    const until = performance.now() + workMs
    let bulk: BulkAction
    let piece = 100
    do [bulk, piece] = await runNext(context, piece)
    while (!isOver(bulk) && performance.now() < until && !context.request.signal.aborted)
    return jsonResponse(viewBulk(bulk), isOver(bulk) ? 200 : 202)
  },
})

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
