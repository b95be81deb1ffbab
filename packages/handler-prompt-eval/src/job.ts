import { defineJob } from '@sidelinja/jobs-core'
import { z } from 'zod'
import { testCase } from './assertions.ts'

/** Cells: tests × models × repeat. */
const mostCells = 500

const prompt = z.string().min(1).max(20_000)
const model = z.string().min(1).max(200)

const payload = z
  .strictObject({
    /** The prompt, with `{{name}}` where a variable of the test goes in: at most 20,000 characters. Either this or `promptNodeId`. */
    prompt: prompt.optional(),
    /** The node whose content is the prompt, one of the collection's. */
    promptNodeId: z.guid().optional(),
    /** Sent before the prompt, as the system's message, with variables like it. */
    system: prompt.optional(),
    /** The tests, at most 500. Either this or `testsNodeId`, where they are more than a payload holds. */
    tests: z.array(testCase).min(1).max(mostCells).optional(),
    /** The node whose content is the tests, as a JSON list. */
    testsNodeId: z.guid().optional(),
    /** The models that are compared, as the AI gateway knows them: at most 10. */
    models: z.array(model).min(1).max(10),
    /** How often each model gets each test: at most 10 times. */
    repeat: z.int().min(1).max(10).default(1),
    /** US dollars. Once the job has cost as much, no call more is made. Null: no cap but the collection's budget. */
    maxCostUsd: z.number().positive().max(1_000).nullable().default(1),
    /** The model that decides llm-rubric, factuality and select-best; none of `models`. Default: the collection's `models.reasoning`. */
    judgeModel: model.optional(),
    /** Of an output, in tokens. */
    maxTokens: z.int().min(1).max(4_000).default(1_000),
    temperature: z.number().min(0).max(2).default(0),
    /** Sent as it is; not all models heed it. */
    seed: z.int().min(0).max(2_147_483_647).optional(),
  })
  .superRefine((given, context) => {
    const problem = (message: string, path: string) => context.addIssue({ code: 'custom', message, path: [path] })
    if ((given.prompt === undefined) === (given.promptNodeId === undefined)) problem('expected either prompt or promptNodeId', 'prompt')
    if ((given.tests === undefined) === (given.testsNodeId === undefined)) problem('expected either tests or testsNodeId', 'tests')
    if (new Set(given.models).size < given.models.length) problem('expected each model once', 'models')
    if (given.judgeModel !== undefined && given.models.includes(given.judgeModel)) problem('expected none of models', 'judgeModel')
    const cells = (given.tests?.length ?? 1) * given.models.length * given.repeat
    if (cells > mostCells) problem(`expected at most ${mostCells} cells (tests × models × repeat), got ${cells}`, 'tests')
  })

/** What a `prompt_eval` job is given. */
export type Payload = z.infer<typeof payload>

/** What one model came to. */
export type ModelResult = {
  model: string
  /** Cells that have a verdict: passed, failed and errors. */
  graded: number
  passed: number
  /** An assertion did not hold. */
  failed: number
  /** The model has no whole output: it refused, was cut, cannot be used. They count as not passed, with a score of 0. */
  errors: number
  /** The judge gave no verdict that can be used. They count for nothing. */
  ungraded: number
  /** Not begun, or not graded, when the evaluation stopped. */
  left: number
  /** Passed of graded, 0 … 1; null without any. */
  passRate: number | null
  /** Mean of the graded, 0 … 1; null without any. */
  score: number | null
  /** Half the width of the 95 % interval of that mean; null with fewer than two. */
  scoreMargin: number | null
  /** Milliseconds of the calls that brought an output; null without any. */
  latencyP50Ms: number | null
  latencyP95Ms: number | null
  /** US dollars, without the judge, of the calls whose cost the gateway tells. */
  costUsd: number
  promptTokens: number
  completionTokens: number
}

/** What a `prompt_eval` job leaves in `job_queue.result`. Outputs and assertions are in `prompt_evals`. */
export type Result = {
  models: ModelResult[]
  tests: number
  cells: number
  /** Of them not graded for want of money, or because costs are not told. */
  left: number
  /** Why not all was asked: the job's cap, the collection's budget, or calls whose cost is unknown under a cap. Null: all was. */
  stopped: 'cost_cap' | 'budget' | 'cost_unknown' | null
  /** US dollars, judge included. */
  costUsd: number
  /** Of the judge, and of vectors. */
  judgeCostUsd: number
  /** Null: no assertion needs one. */
  judgeModel: string | null
  /** SHA-256 of prompt and system text, before variables go in. */
  promptHash: string
}

/** Puts a set of tests to several models. Background work: nobody waits for it. */
export const promptEval = defineJob({ type: 'prompt_eval', payload, priority: 1, maxAttempts: 3, timeoutMs: 6 * 3_600_000 })
