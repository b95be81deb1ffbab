import type { PromptEval } from '@sidelinja/jobs-kit/storage'
import { type AskedCell, askCell } from './ask-cell.ts'
import { type Cell, type Evaluation, nameOf, Stop, type StopReason, untilStopped } from './cell.ts'
import { type Choice, chooseBest, verdictOn } from './choose-best.ts'
import { fillIn, placeOf } from './grade.ts'
import { type Chosen, gradeCell } from './grade-cell.ts'
import { isContest } from './read-material.ts'

/** What became of one test, put to all models once. */
export interface Round {
  readonly rows: PromptEval[]
  judgeCostUsd: number
  stopped: StopReason | null
}

/** Puts a test to all models. One after the other is asked and graded; where their outputs are compared with each other, all are asked first. */
export async function runRound(evaluation: Evaluation, cells: readonly Cell[]): Promise<Round> {
  const round: Round = { rows: [], judgeCostUsd: 0, stopped: null }
  if (cells[0] !== undefined && isContest(cells[0].test)) await compareAll(evaluation, cells, round)
  else await gradeEach(evaluation, cells, round)
  return round
}

async function gradeEach(evaluation: Evaluation, cells: readonly Cell[], round: Round): Promise<void> {
  for (const cell of cells) {
    const asked = await askCell(evaluation, cell)
    if (typeof asked === 'string') round.stopped = asked
    else await gradeInto(round, evaluation, { asked, chosen: new Map() })
    if (round.stopped !== null) return
  }
}

async function compareAll(evaluation: Evaluation, cells: readonly Cell[], round: Round): Promise<void> {
  const all: AskedCell[] = []
  for (const cell of cells) {
    const asked = await askCell(evaluation, cell)
    if (typeof asked === 'string') round.stopped = asked
    else all.push(asked)
    if (typeof asked !== 'string' && asked.untold) round.stopped = 'cost_unknown'
    if (round.stopped !== null) break
  }
  const choices = round.stopped ?? (await untilStopped(() => chooseAll(evaluation, all, round)))
  if (typeof choices === 'string') round.stopped = choices
  for (const asked of all) {
    const chosen =
      typeof choices === 'string' ? choices : new Map([...choices].map(([place, choice]) => [place, verdictOn(choice, asked.made.output)]))
    await gradeInto(round, evaluation, { asked, chosen })
  }
}

async function gradeInto(round: Round, evaluation: Evaluation, { asked, chosen }: { asked: AskedCell; chosen: Chosen }): Promise<void> {
  const { row, judgeCostUsd, stopped } = await gradeCell(evaluation, asked, chosen)
  round.rows.push(row)
  round.judgeCostUsd += judgeCostUsd
  round.stopped ??= stopped
}

/** By the place of each assertion that chooses. Only whole outputs take part. */
async function chooseAll(
  { gateway, context, settings, material }: Evaluation,
  all: readonly AskedCell[],
  round: Round,
): Promise<Map<string, Choice>> {
  const choices = new Map<string, Choice>()
  const outputs = all.filter(({ row }) => row.error === null).map(({ made }) => made.output)
  const [first] = all
  if (first === undefined || outputs.length === 0) return choices
  const { maxCostUsd } = context.payload
  const bench = { gateway, context, settings, model: material.judgeModel ?? '', maxJobUsd: maxCostUsd ?? undefined }
  for (const [at, assertion] of first.cell.test.assert.entries()) {
    if (assertion.type !== 'select-best') continue
    const criterion = String(fillIn(assertion, first.cell.test.vars))
    const choice = await chooseBest(bench, { name: `${nameOf(first.cell).replace(/^m\d+-/, '')}-${placeOf(at)}`, criterion, outputs })
    round.judgeCostUsd += choice.costUsd
    choices.set(placeOf(at), choice)
    if (maxCostUsd !== null && choice.untold) throw new Stop('cost_unknown')
  }
  return choices
}
