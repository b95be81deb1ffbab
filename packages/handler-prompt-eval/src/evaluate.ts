import { setImmediate as letOthersRun } from 'node:timers/promises'
import type { PromptEval } from '@sidelinja/jobs-kit/storage'
import type { Cell, Evaluation, StopReason } from './cell.ts'
import type { Payload, Result } from './job.ts'
import type { Material } from './read-material.ts'
import { runRound } from './run-round.ts'
import { summarise, usd } from './summarise.ts'

/** What an evaluation came to. */
export interface Evaluated {
  readonly rows: readonly PromptEval[]
  readonly result: Result
}

/** Goes through all cells, each model's turn at each test before the next test: whatever is left when the money is spent, the models can be compared. */
export async function evaluate(evaluation: Evaluation): Promise<Evaluated> {
  const { context, material } = evaluation
  const { models: names } = context.payload
  const rounds = roundsOf(context.payload, material)
  const cells = rounds.length * names.length
  const rows: PromptEval[] = []
  let judgeCostUsd = 0
  let stopped: StopReason | null = null
  for (const [at, round] of rounds.entries()) {
    // What is stored already comes back at once: hundreds of cells would be graded without anybody else having a turn.
    await letOthersRun()
    context.signal.throwIfAborted()
    context.progress(at / rounds.length, `${at * names.length}/${cells}`)
    const done = await runRound(evaluation, round)
    rows.push(...done.rows)
    judgeCostUsd += done.judgeCostUsd
    stopped = done.stopped
    if (stopped !== null) break
  }
  const models = names.map((model) =>
    summarise(
      model,
      rows.filter((row) => row.model === model),
      rounds.length,
    ),
  )
  const left = models.reduce((sum, model) => sum + model.left, 0)
  const costUsd = usd(models.reduce((sum, model) => sum + model.costUsd, judgeCostUsd))
  const { judgeModel, promptHash, tests } = material
  // Costs that turn out to be unknown at the very end keep nothing from being asked.
  const ending = { left, stopped: left === 0 ? null : stopped, costUsd, judgeCostUsd: usd(judgeCostUsd) }
  return { rows, result: { models, tests: tests.length, cells, ...ending, judgeModel, promptHash } }
}

/** A test, put to each of the models once. */
function roundsOf({ models, repeat }: Payload, { tests }: Material): Cell[][] {
  return Array.from({ length: repeat }, (_, time) =>
    tests.map((test, testAt) =>
      models.map((model, modelAt) => ({ model, modelNumber: modelAt + 1, test, testNumber: testAt + 1, repeat: time + 1 })),
    ),
  ).flat()
}
