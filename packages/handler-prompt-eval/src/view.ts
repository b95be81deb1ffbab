import { defineResultView, type ResultPart, type ResultText, type ResultValue } from '@sidelinja/jobs-core/admin'
import { listPromptEvals } from '@sidelinja/jobs-kit/view'
import { z } from 'zod'
import { promptEval } from './job.ts'
import { type CellState, stateOf } from './state-of.ts'

const count = z.number()
const share = z.number().nullable()
const model = z.object({
  ...{ model: z.string(), graded: count, passed: count, errors: count, ungraded: count, left: count, costUsd: z.number() },
  ...{ passRate: share, score: share, scoreMargin: share, latencyP50Ms: share, latencyP95Ms: share },
})
const told = z.object({
  ...{
    models: z.array(model),
    cells: count,
    left: count,
    costUsd: z.number(),
    judgeCostUsd: z.number(),
    judgeModel: z.string().nullable(),
  },
  stopped: z.enum(['cost_cap', 'budget', 'cost_unknown']).nullable(),
})
const asserts = z.array(z.object({ type: z.string(), pass: z.boolean().nullable(), reason: z.string().nullable() }))

type Told = z.infer<typeof told>
type Row = Awaited<ReturnType<typeof listPromptEvals>>[number]

/** So much of an output is shown in a table. */
const outputCharacters = 160

/** What a `prompt_eval` job came to: the models side by side, then for each what became of its tests. */
export const promptEvalView = defineResultView(promptEval, async ({ db, job, result }) => {
  const parsed = told.safeParse(result)
  if (!parsed.success) return []
  const { models, stopped, left, cells } = parsed.data
  const rows = await listPromptEvals(db, job.collectionNodeId, { jobId: job.id, outputCharacters })
  return [
    ...(stopped === null ? [] : [{ kind: 'note', tone: 'warn', text: stopText(stopped, left, cells) } as const]),
    modelsTable(models),
    costFacts(parsed.data),
    ...models.flatMap((each) =>
      testsTable(
        each.model,
        rows.filter((row) => row.model === each.model),
      ),
    ),
  ] satisfies ResultPart[]
})

function modelsTable(models: Told['models']): ResultPart {
  const { model: name, passed, graded, rate, score, margin, p50, p95, cost, errors, ungraded, left } = labels
  return {
    ...{
      kind: 'table',
      title: labels.models,
      columns: [name, passed, graded, rate, score, margin, p50, p95, cost, errors, ungraded, left],
    },
    rows: models.map((each): ResultValue[] => [
      ...[each.model, each.passed, each.graded, each.passRate === null ? null : Math.round(each.passRate * 100)],
      ...[round(each.score), round(each.scoreMargin), each.latencyP50Ms, each.latencyP95Ms, cents(each.costUsd)],
      ...[each.errors, each.ungraded, each.left],
    ]),
  }
}

function costFacts({ costUsd, judgeCostUsd, judgeModel }: Told): ResultPart {
  const judge = judgeModel === null ? [] : [{ label: labels.judge, value: judgeModel }]
  // Vectors cost something without a judge, too.
  const ofGrading = judgeModel === null && judgeCostUsd === 0 ? [] : [{ label: labels.judgeCost, value: cents(judgeCostUsd) }]
  return { kind: 'facts', rows: [{ label: labels.total, value: cents(costUsd) }, ...judge, ...ofGrading] }
}

function testsTable(name: string, rows: readonly Row[]): ResultPart[] {
  if (rows.length === 0) return []
  const columns = [labels.test, labels.verdict, labels.score, labels.why, labels.output, labels.latency, labels.cost]
  return [{ kind: 'table', title: name, columns, rows: rows.map(testRow) }]
}

function testRow(row: Row): ResultValue[] {
  const { test, repeat, description, errorCode, score, output, latencyMs, costUsd } = row
  const error = errorCode === null ? null : { code: errorCode }
  const state = stateOf({ ...row, error })
  const title = [`${test}${repeat > 1 ? `.${repeat}` : ''}`, description ?? ''].join(' ').trim()
  return [title, states[state], round(score), error?.code ?? whyNot(row), output || null, latencyMs, cents(costUsd)]
}

/** The assertions that did not hold. */
function whyNot({ asserts: stored }: Row): string | null {
  const parsed = asserts.safeParse(stored)
  const failed = parsed.success ? parsed.data.filter(({ pass }) => pass === false) : []
  return failed.map(({ type, reason }) => (reason === null ? type : `${type}: ${reason.slice(0, 200)}`)).join('; ') || null
}

/** The page shows three digits after the point, and a call costs far less than a dollar. */
function cents(usd: number | null): number | null {
  return usd === null ? null : Number((usd * 100).toFixed(3))
}

function round(value: number | null): number | null {
  return value === null ? null : Number(value.toFixed(2))
}

function stopText(why: Exclude<Told['stopped'], null>, left: number, cells: number): ResultText {
  const { nb, nn, en } = stops[why]
  return {
    nb: `${nb} ${left} av ${cells} ruter gjenstår.`,
    nn: `${nn} ${left} av ${cells} ruter står att.`,
    en: `${en} ${left} of ${cells} cells are left.`,
  }
}

const stops = {
  cost_cap: {
    nb: 'Jobben har kostet det den fikk lov til.',
    nn: 'Jobben har kosta det han fekk lov til.',
    en: 'The job has cost what it was allowed to.',
  },
  budget: {
    nb: 'Budsjettet til samlingen er brukt opp.',
    nn: 'Budsjettet til samlinga er brukt opp.',
    en: "The collection's budget is spent.",
  },
  cost_unknown: {
    nb: 'Tjenesten sier ikke hva et kall koster, og jobben har en øvre grense.',
    nn: 'Tenesta seier ikkje kva eit kall kostar, og jobben har ei øvre grense.',
    en: 'The gateway does not tell what a call costs, and the job has a cap.',
  },
}

const labels = {
  models: { nb: 'Modeller', nn: 'Modellar', en: 'Models' },
  model: { nb: 'Modell', nn: 'Modell', en: 'Model' },
  passed: { nb: 'Bestått', nn: 'Bestått', en: 'Passed' },
  graded: { nb: 'Vurdert', nn: 'Vurdert', en: 'Graded' },
  rate: { nb: 'Bestått, %', nn: 'Bestått, %', en: 'Pass rate, %' },
  margin: { nb: '±', nn: '±', en: '±' },
  score: { nb: 'Poeng', nn: 'Poeng', en: 'Score' },
  p50: { nb: 'Svartid, median, ms', nn: 'Svartid, median, ms', en: 'Latency, median, ms' },
  p95: { nb: 'Svartid, 95 %, ms', nn: 'Svartid, 95 %, ms', en: 'Latency, 95 %, ms' },
  latency: { nb: 'Svartid, ms', nn: 'Svartid, ms', en: 'Latency, ms' },
  cost: { nb: 'Kostnad, US-cent', nn: 'Kostnad, US-cent', en: 'Cost, US cents' },
  errors: { nb: 'Feil', nn: 'Feil', en: 'Errors' },
  ungraded: { nb: 'Uten dom', nn: 'Utan dom', en: 'No verdict' },
  left: { nb: 'Gjenstår', nn: 'Står att', en: 'Left' },
  total: { nb: 'Kostnad i alt, US-cent', nn: 'Kostnad i alt, US-cent', en: 'Cost in all, US cents' },
  judge: { nb: 'Dommer', nn: 'Dommar', en: 'Judge' },
  judgeCost: { nb: 'Av det til vurderingen', nn: 'Av det til vurderinga', en: 'Of it for grading' },
  test: { nb: 'Test', nn: 'Test', en: 'Test' },
  verdict: { nb: 'Resultat', nn: 'Resultat', en: 'Verdict' },
  why: { nb: 'Hva som sviktet', nn: 'Kva som svikta', en: 'What failed' },
  output: { nb: 'Svaret begynner slik', nn: 'Svaret byrjar slik', en: 'The output begins' },
} satisfies Readonly<Record<string, ResultText>>

const states = {
  passed: { nb: 'bestått', nn: 'bestått', en: 'passed' },
  failed: { nb: 'ikke bestått', nn: 'ikkje bestått', en: 'failed' },
  error: { nb: 'feil', nn: 'feil', en: 'error' },
  ungraded: { nb: 'uten dom', nn: 'utan dom', en: 'no verdict' },
  left: { nb: 'ikke vurdert', nn: 'ikkje vurdert', en: 'not graded' },
} satisfies Readonly<Record<CellState, ResultText>>
