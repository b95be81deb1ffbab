import type { CallFacts } from '@sidelinja/jobs-kit'
import type { Assertion, AssertionType, AssertSet, TestCase } from './assertions.ts'
import { askedAbout } from './assertions.ts'
import { checkOutput, inOneForm } from './check-output.ts'
import { render } from './template.ts'
import type { Verdict } from './verdict.ts'

/** What one assertion came to: `prompt_evals.asserts`. */
export type AssertOutcome = {
  /** As in the test. */
  type: string
  metric: string | null
  weight: number
  /** Null: the judge gave no verdict. */
  pass: boolean | null
  score: number | null
  /** The judge's words; or why it could not be told, and so does not pass: `too slow`, `cost unknown`. */
  reason: string | null
  /** What the judge goes by; it stands in the output. */
  quote: string | null
  /** The code of what kept the judge from a verdict. */
  error: string | null
  /** Of an assert-set. */
  assert?: AssertOutcome[]
}

/** What a cell came to. */
export interface Grade {
  readonly pass: boolean | null
  readonly score: number | null
  readonly asserts: AssertOutcome[]
}

/** What an output is graded with. */
export interface Grading {
  readonly output: string
  readonly facts: CallFacts
  /** Asked about what only a judge, or vectors, can tell; `place` is unique within the cell. */
  readonly ask: (type: AskedType, criterion: string, place: string) => Promise<Verdict>
  /** What came of choosing among the outputs of all models, by place. */
  readonly best: (place: string) => Verdict
  /** Whether patterns occur in the output. */
  readonly match: (patterns: readonly string[], output: string) => Promise<ReadonlyMap<string, boolean | undefined>>
}

/** What somebody else is asked about. */
export type AskedType = (typeof askedAbout)[number]

/** promptfoo's, where the test names no threshold. */
const leastSimilar = 0.75

/** Takes one assertion after the other: score is the weighted mean, and it passes when all pass, or the score reaches the test's threshold. */
export async function grade(test: TestCase, grading: Grading): Promise<Grade> {
  const patterns = plainAssertions(test).flatMap(({ type, value }) => (plainType(type) === 'regex' ? inOneForm(String(value)) : []))
  const matched = patterns.length === 0 ? new Map() : await grading.match(patterns, inOneForm(grading.output))
  const asserts: AssertOutcome[] = []
  for (const [at, each] of test.assert.entries()) {
    const placed = { ...grading, matched, place: placeOf(at) }
    asserts.push(each.type === 'assert-set' ? await gradeSet(each, test, placed) : await gradeOne(each, test, placed))
  }
  return { ...together(asserts, test.threshold), asserts }
}

/** All assertions of a test, those of sets among them. */
export function plainAssertions({ assert }: TestCase): Assertion[] {
  return assert.flatMap((each) => (each.type === 'assert-set' ? each.assert : [each]))
}

/** Where an assertion stands in its test, counted from 0. */
export function placeOf(at: number): string {
  return `a${at + 1}`
}

/** Puts the variables into all that an assertion compares with. @throws PermanentError `PROMPT_TEMPLATE_INVALID` */
export function fillIn({ type, value }: Assertion, vars: TestCase['vars']): unknown {
  // A variable in a pattern would be read as one, and a schema has none.
  if (plainType(type) === 'regex') return value
  if (typeof value === 'string') return render(value, vars, type)
  return Array.isArray(value) ? value.map((each) => render(String(each), vars, type)) : value
}

type Placed = Grading & { readonly place: string; readonly matched: ReadonlyMap<string, boolean | undefined> }

async function gradeSet(set: AssertSet, test: TestCase, grading: Placed): Promise<AssertOutcome> {
  const assert: AssertOutcome[] = []
  for (const [at, each] of set.assert.entries())
    assert.push(await gradeOne(each, test, { ...grading, place: `${grading.place}-${at + 1}` }))
  const error = assert.find((each) => each.error !== null)?.error ?? null
  return { ...headOf(set), ...together(assert, set.threshold), reason: null, quote: null, error, assert }
}

async function gradeOne(
  assertion: Assertion,
  { vars }: TestCase,
  { output, facts, ask, best, place, matched }: Placed,
): Promise<AssertOutcome> {
  const value = fillIn(assertion, vars)
  const type = plainType(assertion.type)
  if (type === 'select-best') return byVerdict(assertion, best(place))
  if (isAskedAbout(type)) return byVerdict(assertion, await ask(type, String(value), place))
  const found = checkOutput(assertion, { output, facts, value, matched })
  const reason = found ? null : type === 'cost' ? 'cost unknown' : 'too slow'
  return { ...headOf(assertion), pass: found?.pass ?? false, score: found?.score ?? 0, reason, quote: null, error: null }
}

function byVerdict(assertion: Assertion, { found, reason, quote, error }: Verdict): AssertOutcome {
  const said = { ...headOf(assertion), reason, quote, error: error?.code ?? null }
  if (found === null) return { ...said, pass: null, score: null }
  const least = assertion.threshold ?? (plainType(assertion.type) === 'similar' ? leastSimilar : 0)
  const pass = found.pass && found.score >= least
  return assertion.type.startsWith('not-') ? { ...said, pass: !pass, score: 1 - found.score } : { ...said, pass, score: found.score }
}

/** What weighs nothing is told and does not count. */
function together(asserts: readonly AssertOutcome[], threshold: number | undefined): Pick<Grade, 'pass' | 'score'> {
  const counted = asserts.filter(({ weight }) => weight > 0)
  if (counted.some(({ pass }) => pass === null)) return { pass: null, score: null }
  const weights = counted.reduce((sum, { weight }) => sum + weight, 0)
  const score = weights === 0 ? 1 : counted.reduce((sum, each) => sum + each.weight * (each.score ?? 0), 0) / weights
  return { score, pass: threshold === undefined ? counted.every(({ pass }) => pass) : score >= threshold }
}

function headOf({ type, metric, weight }: Assertion | AssertSet): Pick<AssertOutcome, 'type' | 'metric' | 'weight'> {
  return { type, metric: metric ?? null, weight }
}

/** Without `not-`. */
export function plainType(type: string): AssertionType {
  return type.replace(/^not-/, '') as AssertionType
}

function isAskedAbout(type: AssertionType): type is AskedType {
  return (askedAbout as readonly string[]).includes(type)
}
