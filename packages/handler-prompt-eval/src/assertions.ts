import { z } from 'zod'

/** Types whose value is one text. */
const ofText = ['equals', 'contains', 'icontains', 'starts-with', 'regex', 'levenshtein', 'rouge-n', 'bleu'] as const
/** Types that a judge decides, or vectors, of one output; their value is one text too. */
export const askedAbout = ['llm-rubric', 'factuality', 'similar'] as const
/** The type that a judge decides among the outputs of all models; its value is one text too. */
const ofAll = ['select-best'] as const
/** Types whose value is a list of texts. */
const ofTexts = ['contains-any', 'contains-all', 'icontains-any', 'icontains-all'] as const
/** Types whose value is a JSON schema, or left out. */
const ofSchema = ['is-json', 'contains-json'] as const
/** Types whose threshold is what a cell may take. */
const ofLimit = ['latency', 'cost'] as const
const types = [...ofText, ...askedAbout, ...ofTexts, ...ofSchema, ...ofLimit, 'is-refusal', ...ofAll] as const

/** What an assertion asks, without `not-`. */
export type AssertionType = (typeof types)[number]

const mostText = 4_000
const text = z.string().min(1).max(mostText)
const weight = z.number().min(0).max(100).default(1)
const threshold = z.number().min(0).max(1_000_000)
const metric = z.string().min(1).max(60)

/** A `not-` before a type turns it round. No type runs code, and there is no `transform`: what stands in a row of a database is data. */
const type = z.custom<AssertionType | `not-${AssertionType}`>(
  (given) => typeof given === 'string' && given !== 'not-select-best' && (types as readonly string[]).includes(given.replace(/^not-/, '')),
  { error: `expected one of ${types.join(', ')}, each but the last also with not- before it` },
)

const assertion = z
  .strictObject({ type, value: z.unknown().optional(), threshold: threshold.optional(), weight, metric: metric.optional() })
  .superRefine(({ type: given, value, threshold: limit }, context) => {
    const problem = problemOf(given.replace(/^not-/, '') as AssertionType, value, limit)
    if (problem !== undefined) context.addIssue({ code: 'custom', message: `${given}: ${problem}` })
  })

const assertSet = z.strictObject({
  type: z.literal('assert-set'),
  assert: z
    .array(assertion.refine(({ type: given }) => given !== 'select-best', { error: 'expected select-best to stand by itself' }))
    .min(1)
    .max(10),
  /** The score from which it passes; default: all of it must pass. */
  threshold: z.number().min(0).max(1).optional(),
  weight,
  metric: metric.optional(),
})

const variable = z.union([z.string().max(20_000), z.number(), z.boolean()])

/** One test: what goes into the prompt, and what must hold of the output. promptfoo's words. */
export const testCase = z.strictObject({
  description: z.string().max(200).optional(),
  vars: z
    .record(z.string().regex(/^[A-Za-z_][\w-]{0,59}$/, { error: 'expected a name of letters, digits, _ and -' }), variable)
    .default({}),
  assert: z
    .array(z.union([assertSet, assertion]))
    .max(20)
    .default([]),
  /** The score from which it passes; default: all assertions must pass. */
  threshold: z.number().min(0).max(1).optional(),
})

/** One test, with its defaults. */
export type TestCase = z.output<typeof testCase>
/** One assertion. */
export type Assertion = z.output<typeof assertion>
/** Assertions that count as one. */
export type AssertSet = z.output<typeof assertSet>

function problemOf(given: AssertionType, value: unknown, limit: number | undefined): string | undefined {
  if (isOneOf(ofLimit, given)) return limit === undefined || value !== undefined ? 'expected a threshold and no value' : undefined
  if (isOneOf(ofSchema, given)) return value === undefined ? undefined : schemaProblem(value, 0)
  if (given === 'is-refusal') return value === undefined ? undefined : 'expected no value'
  if (isOneOf(ofTexts, given)) {
    return z.array(text).min(1).max(50).safeParse(value).success
      ? undefined
      : `expected 1 … 50 texts of 1 … ${mostText} characters as value`
  }
  if (!text.safeParse(value).success) return `expected a text of 1 … ${mostText} characters as value`
  if (given === 'levenshtein') return limit === undefined || limit <= 1_000 ? undefined : 'expected a threshold of at most 1000 changes'
  if (given === 'regex') return regexProblem(value as string)
  if (given === 'select-best') return limit === undefined ? undefined : 'expected no threshold'
  return limit === undefined || limit <= 1 ? undefined : 'expected a threshold from 0 to 1'
}

function isOneOf<Item extends string>(items: readonly Item[], given: string): given is Item {
  return (items as readonly string[]).includes(given)
}

/** Its form only: how long it takes is for the clock it runs under. */
function regexProblem(pattern: string): string | undefined {
  if (pattern.length > 500) return 'expected a pattern of at most 500 characters'
  try {
    new RegExp(pattern)
    return undefined
  } catch {
    return 'expected a regular expression of JavaScript, without slashes around it'
  }
}

const words = [
  'type',
  'enum',
  'const',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'anyOf',
  'title',
  'description',
  '$schema',
]
const limits = ['minItems', 'maxItems', 'minLength', 'maxLength', 'minimum', 'maximum']
const jsonTypes = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null']
const deepest = 10

/** A word that would not be looked at is refused: an assertion that checks less than it says is none. */
function schemaProblem(schema: unknown, depth: number): string | undefined {
  if (typeof schema === 'boolean') return undefined
  if (!isObject(schema)) return 'expected a JSON schema as value'
  if (depth > deepest) return `expected a JSON schema of at most ${deepest} layers`
  const strange = Object.keys(schema).find((key) => !words.includes(key) && !limits.includes(key))
  if (strange !== undefined)
    return `expected a JSON schema of ${[...words, ...limits].join(', ')}; got ${JSON.stringify(strange.slice(0, 40))}`
  return (
    formProblem(schema) ??
    partsOf(schema)
      .map((part) => schemaProblem(part, depth + 1))
      .find((problem) => problem !== undefined)
  )
}

function formProblem({ type: given, enum: values, properties, required, anyOf, ...rest }: Record<string, unknown>): string | undefined {
  const named = given === undefined ? [] : [given].flat()
  if (named.some((name) => !jsonTypes.includes(name as string)))
    return `expected type to be one of ${jsonTypes.join(', ')}, or a list of them`
  const plain = values === undefined ? [rest.const ?? null] : Array.isArray(values) ? values : [values]
  if (!plain.every(isPlain) || (values !== undefined && !Array.isArray(values)))
    return 'expected const, and a list as enum, of texts, numbers, true, false and null'
  if (anyOf !== undefined && !Array.isArray(anyOf)) return 'expected anyOf to be a list'
  if (properties !== undefined && !isObject(properties)) return 'expected properties to be an object'
  const areNames = Array.isArray(required) && required.every((name) => typeof name === 'string')
  if (required !== undefined && !areNames) return 'expected required to be a list of names'
  const wrong = limits.find((limit) => rest[limit] !== undefined && typeof rest[limit] !== 'number')
  return wrong && `expected ${wrong} to be a number`
}

function partsOf({ properties, items, additionalProperties, anyOf }: Record<string, unknown>): unknown[] {
  return [
    ...Object.values(properties ?? {}),
    ...[items, additionalProperties].filter((part) => part !== undefined),
    ...((anyOf as []) ?? []),
  ]
}

function isPlain(value: unknown): boolean {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
