import { getBulk } from '@sidelinja/jobs-core/admin'
import { jsonResponse } from '../http/json-response.ts'
import { defineRoute } from '../route.ts'
import { reading } from '../user-session.ts'
import { viewBulk } from '../views/bulk-view.ts'

/** `GET {base}/bulk/:id`: a preview, how far it is, or the receipt: for who made it. */
export const readBulk = defineRoute({
  method: 'GET',
  under: 'base',
  path: '/bulk/:id',
  right: 'view',
  hasPage: true,
  run: async (context) => jsonResponse(viewBulk(await reading(context, ({ trx }) => getBulk(trx, context.params.id ?? '')))),
})
