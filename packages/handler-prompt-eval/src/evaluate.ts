import type { PromptEval } from '@sidelinja/jobs-kit/storage'
import type { Payload, Result } from './job.ts'
import type { Material } from './read-material.ts'
import { type Cell, type Evaluation, runCell } from './run-cell.ts'
import { summarise, usd } from './summarise.ts'

/** What an evaluation came to. */
export interface Evaluated {
  readonly rows: readonly PromptEval[]
  readonly result: Result
}

/** Goes through all cells, each model's turn at each test before the next test: whatever is left when the money is spent, the models can be compared. */
export async function evaluate(evaluation: Evaluation): Promise<Evaluated> {
  const { context, material } = evaluation
  const cells = cellsOf(context.payload, material)
  const rows: PromptEval[] = []
  let judgeCostUsd = 0
  let stopped: Result['stopped'] = null
  for (const [at, cell] of cells.entries()) {
    context.signal.throwIfAborted()
    context.progress(at / cells.length, `${at}/${cells.length}`)
    const outcome = await runCell(evaluation, cell)
    if (outcome.row) rows.push(outcome.row)
    judgeCostUsd += outcome.judgeCostUsd
    stopped = outcome.stopped
    if (stopped !== null) break
  }
  const each = cells.length / context.payload.models.length
  const models = context.payload.models.map((model) =>
    summarise(
      model,
      rows.filter((row) => row.model === model),
      each,
    ),
  )
  const left = models.reduce((sum, model) => sum + model.left, 0)
  const costUsd = usd(models.reduce((sum, model) => sum + model.costUsd, judgeCostUsd))
  const { judgeModel, promptHash, tests } = material
  return {
    rows,
    // Costs that turn out to be unknown at the very end keep nothing from being asked.
    result: {
      models,
      tests: tests.length,
      cells: cells.length,
      left,
      stopped: left === 0 ? null : stopped,
      costUsd,
      judgeCostUsd: usd(judgeCostUsd),
      judgeModel,
      promptHash,
    },
  }
}

function cellsOf({ models, repeat }: Payload, { tests }: Material): Cell[] {
  return Array.from({ length: repeat }, (_, time) =>
    tests.flatMap((test, testAt) =>
      models.map((model, modelAt) => ({ model, modelNumber: modelAt + 1, test, testNumber: testAt + 1, repeat: time + 1 })),
    ),
  ).flat()
}
