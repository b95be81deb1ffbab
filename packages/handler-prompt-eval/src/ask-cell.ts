import type { Completion } from '@sidelinja/jobs-kit'
import type { PromptEval } from '@sidelinja/jobs-kit/storage'
import { type Cell, type Evaluation, nameOf, type StopReason, untilStopped } from './cell.ts'
import { isUntold } from './costs.ts'
import type { Payload } from './job.ts'
import { PROMPT_VERSION } from './questions.ts'
import { hashOf } from './read-material.ts'
import { storable } from './storable.ts'
import { render } from './template.ts'
import { isOfThisCell, toldOf } from './trouble.ts'

/** A cell whose model was asked. */
export interface AskedCell {
  readonly cell: Cell
  /** Without a verdict yet. */
  readonly row: PromptEval
  readonly made: Completion
  /** What it cost is not told, under a cap: nothing more may be asked. */
  readonly untold: boolean
}

/** Longer than any reply of so many tokens as can be asked for: the gateway does not keep to them. */
const mostOutput = 60_000
const nothing = { modelServed: null, promptTokens: null, completionTokens: null, costUsd: null, latencyMs: 0 }

/** Asks the model: a step, so that what was paid for is not asked again, whatever comes between. */
export async function askCell(evaluation: Evaluation, cell: Cell): Promise<AskedCell | StopReason> {
  const { payload } = evaluation.context
  return await untilStopped(async () => {
    const { made, promptHash } = await complete(evaluation, cell)
    const row = rowOf(cell, made, { payload, promptHash, judgeModel: evaluation.material.judgeModel })
    return { cell, row, made, untold: payload.maxCostUsd !== null && isUntold(made.facts) }
  })
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
    return { made: { output: '', cut: false, error: toldOf(error), facts: nothing }, promptHash }
  }
}

function rowOf(
  { model, test, testNumber, repeat }: Cell,
  { output, cut, error, facts }: Completion,
  { payload, promptHash, judgeModel }: { payload: Payload; promptHash: string; judgeModel: string | null },
): PromptEval {
  const tooLong = output.length > mostOutput
  return {
    ...{ model, test: testNumber, repeat, description: test.description === undefined ? null : storable(test.description) },
    ...{ output: storable(output.slice(0, mostOutput)), cut: cut || tooLong, pass: null, score: null, asserts: [] },
    error: error ?? (cut ? wasCut(payload.maxTokens) : tooLong ? isTooLong(output.length) : null),
    ...facts,
    // The column is of 32 bits: what they do not hold is an error of the database.
    ...{ promptHash, temperature: Math.fround(payload.temperature), seed: payload.seed ?? null, judgeModel },
  }
}

function wasCut(maxTokens: number) {
  return { code: 'REPLY_CUT', message: `The output was cut after ${maxTokens} tokens, and is not looked at.` }
}

function isTooLong(length: number) {
  return { code: 'REPLY_TOO_LARGE', message: `The output has ${length} characters, of ${mostOutput} at most, and is not looked at.` }
}
