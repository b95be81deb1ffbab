import { isJobsError } from '@sidelinja/jobs-core'
import type { HandlerContext } from '@sidelinja/jobs-core/worker'
import { type CollectionSettings, type Completion, type Gateway, isUpstreamError } from '@sidelinja/jobs-kit'
import type { PromptEval } from '@sidelinja/jobs-kit/storage'
import type { TestCase } from './assertions.ts'
import { isUntold } from './costs.ts'
import { grade } from './grade.ts'
import type { Payload, Result } from './job.ts'
import { askJudge } from './judge.ts'
import { PROMPT_VERSION } from './questions.ts'
import { hashOf, type Material } from './read-material.ts'
import { render } from './template.ts'

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
}

/** What became of a cell. */
export interface CellOutcome {
  /** Undefined: it was not begun. */
  readonly row: PromptEval | undefined
  readonly judgeCostUsd: number
  /** Why nothing more may be asked. */
  readonly stopped: Result['stopped']
}

/** Longer than any reply of so many tokens as can be asked for: the gateway does not keep to them. */
const mostOutput = 60_000
const nothing = { modelServed: null, promptTokens: null, completionTokens: null, costUsd: null, latencyMs: 0 }

/** Asks the model, then looks at what it says. Each call is a step: what was paid for is not asked again, whatever comes between. */
export async function runCell(evaluation: Evaluation, cell: Cell): Promise<CellOutcome> {
  const { settings, material, context } = evaluation
  const { maxCostUsd } = context.payload
  const row = await untilStopped(() => complete(evaluation, cell))
  if (typeof row === 'string') return { row: undefined, judgeCostUsd: 0, stopped: row }
  const { made, promptHash } = row
  const head = rowOf(cell, made, { payload: context.payload, promptHash, judgeModel: material.judgeModel })
  const isUnbounded = (untold: boolean) => maxCostUsd !== null && untold
  const stopped = isUnbounded(made.error === null && isUntold(made.facts)) ? 'cost_unknown' : null
  if (head.error) return { row: head, judgeCostUsd: 0, stopped }
  const spent = { judgeCostUsd: 0, untold: stopped !== null }
  const graded = await untilStopped(() =>
    grade(cell.test, {
      ...{ output: made.output, facts: made.facts },
      judge: async (type, criterion, place) => {
        if (isUnbounded(spent.untold)) throw new Stop('cost_unknown')
        const bench = { ...evaluation, settings, model: material.judgeModel ?? '', maxJobUsd: maxCostUsd ?? undefined }
        const verdict = await askJudge(bench, { name: `${nameOf(cell)}-${place}`, type, criterion, output: made.output })
        spent.judgeCostUsd += verdict.costUsd
        spent.untold ||= verdict.untold
        return verdict
      },
    }),
  )
  const { judgeCostUsd } = spent
  if (typeof graded === 'string') return { row: { ...head, error: leftFor(graded) }, judgeCostUsd, stopped: graded }
  const code = graded.pass === null ? graded.asserts.find(({ error }) => error !== null)?.error : undefined
  const error = code ? { code, message: 'The judge gave no verdict that can be used.' } : null
  return { row: { ...head, ...graded, error }, judgeCostUsd, stopped: isUnbounded(spent.untold) ? 'cost_unknown' : null }
}

async function complete(
  { gateway, context, settings, material }: Evaluation,
  cell: Cell,
): Promise<{ made: Completion; promptHash: string }> {
  const { maxTokens, temperature, seed, maxCostUsd } = context.payload
  const { vars } = cell.test
  const { system, prompt } = material
  const messages = [
    ...(system === undefined ? [] : [{ role: 'system', content: render(system, vars, 'system') } as const]),
    { role: 'user', content: render(prompt, vars, 'prompt') } as const,
  ]
  const promptHash = hashOf(messages.map(({ content }) => content))
  const sent = { name: nameOf(cell), model: cell.model, messages, promptVersion: PROMPT_VERSION, maxTokens, temperature, seed }
  try {
    return { made: await gateway.complete(context, settings, { ...sent, maxJobUsd: maxCostUsd ?? undefined }), promptHash }
  } catch (error) {
    if (!isOfThisCell(error, context)) throw error
    return {
      made: { output: '', cut: false, error: { code: error.code, message: error.message.slice(0, 500).toWellFormed() }, facts: nothing },
      promptHash,
    }
  }
}

/** Trouble that may pass is tried again with the whole job. What is left of it at the last attempt is the cell's, but for being asked to wait, which says nothing about the model. */
function isOfThisCell(error: unknown, { job, signal }: HandlerContext<Payload>): error is Error & { code: string } {
  if (signal.aborted || job.attempt < job.maxAttempts || !isJobsError(error, 'transient')) return false
  return !isUpstreamError(error, 429)
}

/** Ends the grading of a cell. */
class Stop extends Error {
  readonly why: Exclude<Result['stopped'], null>
  constructor(why: Exclude<Result['stopped'], null>) {
    super(why)
    this.why = why
  }
}

async function untilStopped<Value extends object>(attempt: () => Promise<Value>): Promise<Value | Exclude<Result['stopped'], null>> {
  try {
    return await attempt()
  } catch (error) {
    if (error instanceof Stop) return error.why
    if (isJobsError(error) && error.code === 'COST_CAP_REACHED') return 'cost_cap'
    if (isJobsError(error) && error.code === 'AI_BUDGET_SPENT') return 'budget'
    throw error
  }
}

function rowOf(
  { model, test, testNumber, repeat }: Cell,
  { output, cut, error, facts }: Completion,
  { payload, promptHash, judgeModel }: { payload: Payload; promptHash: string; judgeModel: string | null },
): PromptEval {
  const tooLong = output.length > mostOutput
  return {
    ...{ model, test: testNumber, repeat, description: test.description ?? null },
    ...{ output: storable(output.slice(0, mostOutput)), cut: cut || tooLong, pass: null, score: null, asserts: [] },
    error: error ?? (cut ? wasCut(payload.maxTokens) : tooLong ? isTooLong(output.length) : null),
    ...facts,
    ...{ promptHash, temperature: payload.temperature, seed: payload.seed ?? null, judgeModel },
  }
}

/** PostgreSQL takes no NUL and no half pairs. */
function storable(text: string): string {
  return text.replaceAll('\0', '\ufffd').toWellFormed()
}

function wasCut(maxTokens: number) {
  return { code: 'REPLY_CUT', message: `The output was cut after ${maxTokens} tokens, and is not looked at.` }
}

function isTooLong(length: number) {
  return { code: 'REPLY_TOO_LARGE', message: `The output has ${length} characters, of ${mostOutput} at most, and is not looked at.` }
}

function leftFor(why: string) {
  return { code: 'NOT_GRADED', message: `The evaluation stopped before the judge was asked: ${why}.` }
}

function nameOf({ modelNumber, testNumber, repeat }: Cell): string {
  return `m${modelNumber}-t${testNumber}-r${repeat}`
}
