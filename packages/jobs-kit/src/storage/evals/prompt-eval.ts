import type { JsonValue } from '@sidelinja/jobs-core'

/** What one model made of one test of an evaluation, once. */
export interface PromptEval {
  /** The model's name, as the gateway knows it. */
  readonly model: string
  /** Which test, counted from 1. */
  readonly test: number
  /** Which time, counted from 1. */
  readonly repeat: number
  readonly description: string | null
  /** Text of a model: escape it where it is shown. '' with an error. */
  readonly output: string
  /** True: the output ends in the middle, for want of room. */
  readonly cut: boolean
  /** Null: nobody could say. */
  readonly pass: boolean | null
  /** From 0 to 1; null where `pass` is. */
  readonly score: number | null
  /** What each assertion came to, as the handler's README has it. */
  readonly asserts: JsonValue
  /** Why there is no output, or no verdict. */
  readonly error: { readonly code: string; readonly message: string } | null
  /** The model that answered. */
  readonly modelServed: string | null
  readonly promptTokens: number | null
  readonly completionTokens: number | null
  readonly latencyMs: number
  /** US dollars, without the judge; null when the gateway does not say. */
  readonly costUsd: number | null
  /** SHA-256 of the prompt as it was sent. */
  readonly promptHash: string
  readonly temperature: number
  readonly seed: number | null
  /** Null: there was none. */
  readonly judgeModel: string | null
}
