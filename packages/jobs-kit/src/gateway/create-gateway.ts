import type { CollectionSettings } from '../settings/collection-settings.ts'
import { sumAiCosts } from '../storage/ai-calls/index.ts'
import type { StorageDatabase } from '../storage/storage-database.ts'
import { ask } from './ask.ts'
import { checkBudget, checkCap, hasBudget } from './check-budget.ts'
import { complete } from './complete.ts'
import { embed } from './embed.ts'
import type { AskContext, Gateway } from './gateway.ts'
import type { GatewayParts } from './gateway-parts.ts'
import { nearPrompt } from './near-prompt.ts'

/** Makes the one way to the AI gateway. Nothing is connected here. */
export function createGateway(parts: GatewayParts): Gateway {
  const warned = new WeakSet<AskContext['job']>()
  const asking = (context: AskContext, settings: CollectionSettings) => ({
    ...parts,
    withinBudget: (maxJobUsd: number | undefined) => withinBudget(parts.db, context, settings, maxJobUsd),
  })
  return Object.freeze({
    ask(context, settings, question) {
      const { job, log } = context
      const near = warned.has(job) ? undefined : nearPrompt(settings.prompts, job.type)
      warned.add(job)
      if (near) log.warn("A key of the collection's prompts is nearly this job type; its instructions are not used", { key: near })
      return ask(asking(context, settings), context, settings, question)
    },
    complete: (context, settings, prompt) => complete(asking(context, settings), context, prompt),
    embed: (context, settings, request) => embed(asking(context, settings), context, settings, request),
  } satisfies Gateway)
}

async function withinBudget(
  db: StorageDatabase,
  { job }: AskContext,
  { budget, timeZone }: CollectionSettings,
  maxJobUsd: number | undefined,
): Promise<void> {
  if (maxJobUsd === undefined && !hasBudget(budget)) return
  const spent = await sumAiCosts(db, job.collectionNodeId, { jobId: job.id, timeZone })
  checkCap(maxJobUsd, spent)
  checkBudget(budget, spent)
}
