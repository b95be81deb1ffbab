import { abortBulk as abort } from '@sidelinja/jobs-core/admin'
import { z } from 'zod'
import { jsonResponse } from '../http/json-response.ts'
import { bulkId } from '../inputs.ts'
import { defineRoute } from '../route.ts'
import { acting } from '../user-session.ts'
import { viewBulk } from '../views/bulk-view.ts'

/** `POST /intentions/abort_bulk` with `{ "bulk_id": "<uuid>" }`: stops it before its next piece; what is done stays done. */
export const abortBulk = defineRoute({
  method: 'POST',
  under: 'intentions',
  path: '/abort_bulk',
  right: 'act',
  bucket: 'single',
  body: z.strictObject({ bulk_id: bulkId }),
  run: async (context) => jsonResponse(viewBulk(await acting(context, ({ trx }) => abort(trx, context.body.bulk_id)))),
})
