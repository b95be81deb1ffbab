import { explainJob as explain, type Reason } from '@sidelinja/jobs-core/admin'
import { revalidatedJson } from '../http/json-response.ts'
import { defineRoute } from '../route.ts'
import { reading } from '../user-session.ts'
import { shown } from '../views/job-view.ts'

/** `GET {base}/:id/explain`: why the job is not running, as data and in a sentence. */
export const explainJob = defineRoute({
  method: 'GET',
  under: 'base',
  path: '/:id/explain',
  right: 'view',
  run: async (context) => {
    const { reasons, sentence, ...job } = await reading(context, ({ trx, scope }) => explain(trx, context.params.id ?? '', scope))
    return revalidatedJson(context.request, { ...job, reasons: reasons.map(viewReason), sentence: shown(sentence) })
  },
})

/** Errors and what people wrote stand in them. */
function viewReason({ code, sentence, facts }: Reason): Reason {
  const shownFacts = Object.entries(facts).map(([name, fact]) => [name, typeof fact === 'string' ? shown(fact) : fact])
  return { code, sentence: shown(sentence) ?? '', facts: Object.fromEntries(shownFacts) }
}
