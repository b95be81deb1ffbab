import { isJobsError } from '@sidelinja/jobs-core'
import type { HandlerContext } from '@sidelinja/jobs-core/worker'
import type { CollectionSettings, Gateway } from '@sidelinja/jobs-kit'
import type { TestCase } from './assertions.ts'
import type { Payload, Result } from './job.ts'
import type { MatchPatterns } from './match-patterns.ts'
import type { Material } from './read-material.ts'

/** One model, one test, one time; all counted from 1. */
export interface Cell {
  readonly model: string
  readonly modelNumber: number
  readonly test: TestCase
  readonly testNumber: number
  readonly repeat: number
}

/** What all cells share. */
export interface Evaluation {
  readonly gateway: Gateway
  readonly context: HandlerContext<Payload>
  readonly settings: CollectionSettings
  readonly material: Material
  readonly match: MatchPatterns
}

/** Why nothing more may be asked. */
export type StopReason = Exclude<Result['stopped'], null>

/** Ends the asking. */
export class Stop extends Error {
  readonly why: StopReason
  constructor(why: StopReason) {
    super(why)
    this.why = why
  }
}

/** What is attempted, or why it may not be paid any more. */
export async function untilStopped<Value extends object>(attempt: () => Promise<Value>): Promise<Value | StopReason> {
  try {
    return await attempt()
  } catch (error) {
    if (error instanceof Stop) return error.why
    if (isJobsError(error) && error.code === 'COST_CAP_REACHED') return 'cost_cap'
    if (isJobsError(error) && error.code === 'AI_BUDGET_SPENT') return 'budget'
    throw error
  }
}

/** Unique within the job. */
export function nameOf({ modelNumber, testNumber, repeat }: Cell): string {
  return `m${modelNumber}-t${testNumber}-r${repeat}`
}
