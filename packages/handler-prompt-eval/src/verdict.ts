import { createHash } from 'node:crypto'
import { isJobsError } from '@sidelinja/jobs-core'
import type { HandlerContext } from '@sidelinja/jobs-core/worker'
import type { CallFacts, CollectionSettings, Gateway } from '@sidelinja/jobs-kit'
import { isUntold } from './costs.ts'
import { isOfThisCell, toldOf } from './trouble.ts'

/** What whoever was asked came to, as a type that a step can store. */
export type Verdict = {
  /** Null: no verdict that can be used; the error says why. */
  found: { pass: boolean; score: number } | null
  reason: string | null
  quote: string | null
  error: { code: string; message: string } | null
  costUsd: number
  /** True: the gateway did not tell what a call cost. */
  untold: boolean
}

/** Who is asked, and within what. */
export interface Bench {
  readonly gateway: Gateway
  readonly context: HandlerContext<unknown>
  readonly settings: CollectionSettings
  /** The judge. */
  readonly model: string
  readonly maxJobUsd: number | undefined
}

/** What asking cost. */
export type Costs = Pick<Verdict, 'costUsd' | 'untold'>

/** What says something about this verdict only. A judge that does not exist, or is not to be paid, is the trouble of all. */
const ofOneVerdict = ['REPLY_INVALID', 'REPLY_CUT', 'REPLY_REFUSED', 'REPLY_TOO_LARGE', 'CONTEXT_TOO_LONG']

/**
 * Asks as a durable step, also where nothing comes of it that can be used. Trouble that may pass fails the attempt; at the last one it is this verdict that is missing, and it is not stored: a retry asks
 * again.
 */
export async function verdictStep<Found extends Omit<Verdict, 'found'>>(
  { context }: Pick<Bench, 'context'>,
  step: string,
  { ask, none }: { ask: (onCall: (facts: CallFacts) => void) => Promise<Omit<Found, keyof Costs>>; none: Omit<Found, keyof Costs> },
): Promise<Found> {
  const costs: Costs = { costUsd: 0, untold: false }
  const onCall = (facts: CallFacts) => {
    costs.costUsd += facts.costUsd ?? 0
    costs.untold ||= isUntold(facts)
  }
  const asked = async () => {
    try {
      return { ...(await ask(onCall)), ...costs } as Found
    } catch (error) {
      if (!isJobsError(error) || !ofOneVerdict.includes(error.code)) throw error
      return { ...none, error: toldOf(error), ...costs } as Found
    }
  }
  try {
    return await context.step<Found>(step, asked)
  } catch (error) {
    if (!isOfThisCell(error, context)) throw error
    return { ...none, error: toldOf(error), ...costs } as Found
  }
}

/** Of all that a verdict depends on: another question is not answered with a stored one. */
export function fingerprint(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16)
}
