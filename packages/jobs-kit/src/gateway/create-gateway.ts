import type { CollectionSettings } from '../settings/collection-settings.ts'
import { sumAiCosts } from '../storage/ai-calls/index.ts'
import type { StorageDatabase } from '../storage/storage-database.ts'
import { ask } from './ask.ts'
import { checkBudget, hasBudget } from './check-budget.ts'
import type { AskContext, Gateway } from './gateway.ts'
import type { GatewayParts } from './gateway-parts.ts'

/** Makes the one way to the AI gateway. Nothing is connected here. */
export function createGateway(parts: GatewayParts): Gateway {
  return Object.freeze({
    ask: (context, settings, question) =>
      ask({ ...parts, withinBudget: () => withinBudget(parts.db, context, settings) }, context, settings, question),
  } satisfies Gateway)
}

async function withinBudget(db: StorageDatabase, { job }: AskContext, { budget, timeZone }: CollectionSettings): Promise<void> {
  if (!hasBudget(budget)) return
  checkBudget(budget, await sumAiCosts(db, job.collectionNodeId, { jobId: job.id, timeZone }))
}
