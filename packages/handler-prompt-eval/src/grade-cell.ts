import type { PromptEval } from '@sidelinja/jobs-kit/storage'
import type { AskedCell } from './ask-cell.ts'
import { type Evaluation, nameOf, Stop, type StopReason, untilStopped } from './cell.ts'
import { type AskedType, grade } from './grade.ts'
import { askJudge } from './judge.ts'
import { askSimilarity } from './similar.ts'
import { storableJson } from './storable.ts'
import type { Verdict } from './verdict.ts'

/** What became of a cell. */
export interface GradedCell {
  readonly row: PromptEval
  readonly judgeCostUsd: number
  readonly stopped: StopReason | null
}

/** What was chosen among all outputs, for this one, by place; or why nobody could choose. */
export type Chosen = ReadonlyMap<string, Verdict> | StopReason

/** Looks at what the model said. */
export async function gradeCell(evaluation: Evaluation, { cell, row, made, untold }: AskedCell, chosen: Chosen): Promise<GradedCell> {
  const { context, match } = evaluation
  const isCapped = context.payload.maxCostUsd !== null
  const spent = { judgeCostUsd: 0, untold }
  const stopped = () => (spent.untold ? 'cost_unknown' : null)
  if (row.error) return { row, judgeCostUsd: 0, stopped: stopped() }
  const graded = await untilStopped(() =>
    grade(cell.test, {
      ...{ output: made.output, facts: made.facts },
      match: (patterns, output) => match(patterns, output, context.signal),
      best: (place) => {
        if (typeof chosen === 'string') throw new Stop(chosen)
        return chosen.get(place) ?? nobody
      },
      ask: async (type, criterion, place) => {
        if (spent.untold) throw new Stop('cost_unknown')
        const verdict = await askAbout(evaluation, type, { name: `${nameOf(cell)}-${place}`, criterion, output: made.output })
        spent.judgeCostUsd += verdict.costUsd
        spent.untold ||= isCapped && verdict.untold
        return verdict
      },
    }),
  )
  const { judgeCostUsd } = spent
  if (typeof graded === 'string') return { row: { ...row, error: leftFor(graded) }, judgeCostUsd, stopped: graded }
  const { pass, score, asserts } = graded
  const code = pass === null ? asserts.find(({ error }) => error !== null)?.error : undefined
  const error = code ? { code, message: 'Whoever was asked gave no verdict that can be used.' } : null
  return { row: { ...row, pass, score: rounded(score), asserts: storableJson(asserts), error }, judgeCostUsd, stopped: stopped() }
}

const nobody: Verdict = { found: null, reason: null, quote: null, error: null, costUsd: 0, untold: false }

async function askAbout(
  { gateway, context, settings, material }: Evaluation,
  type: AskedType,
  judged: { name: string; criterion: string; output: string },
): Promise<Verdict> {
  const bench = { gateway, context, settings, model: material.judgeModel ?? '', maxJobUsd: context.payload.maxCostUsd ?? undefined }
  return type === 'similar' ? await askSimilarity(bench, judged) : await askJudge(bench, { ...judged, type })
}

/** The column is of 32 bits, and refuses what is nearer to nothing than those hold. */
function rounded(score: number | null): number | null {
  return score === null ? null : Number(score.toFixed(6))
}

function leftFor(why: string) {
  return { code: 'NOT_GRADED', message: `The evaluation stopped before all was asked that grades it: ${why}.` }
}
