import { explainJob as explain } from '@sidelinja/jobs-core/admin'
import { revalidatedJson } from '../http/json-response.ts'
import { defineRoute } from '../route.ts'
import { reading } from '../user-session.ts'

/** `GET {base}/:id/explain`: why the job is not running, as data and in a sentence. */
export const explainJob = defineRoute({
  method: 'GET',
  under: 'base',
  path: '/:id/explain',
  right: 'view',
  run: async (context) =>
    revalidatedJson(context.request, await reading(context, ({ trx, scope }) => explain(trx, context.params.id ?? '', scope))),
})
