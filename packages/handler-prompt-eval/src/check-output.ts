import type { CallFacts } from '@sidelinja/jobs-kit'
import type { Assertion, AssertionType, askedAbout } from './assertions.ts'
import { isRefusal } from './is-refusal.ts'
import { containsJson, isJson } from './json-checks.ts'
import { bleu, levenshtein, rouge } from './text-measures.ts'

/** What an assertion found; undefined where that could not be said in time. */
export type Found = { readonly pass: boolean; readonly score: number } | undefined

/** What is looked at. */
export interface Looked {
  readonly output: string
  /** Its variables put in. */
  readonly value: unknown
  readonly threshold: number | undefined
  readonly facts: Pick<CallFacts, 'latencyMs' | 'costUsd'>
  /** Whether its patterns occur in the output, as far as that could be said in time. */
  readonly matched: ReadonlyMap<string, boolean | undefined>
}

type Plain = Exclude<AssertionType, (typeof askedAbout)[number] | 'select-best'>

const checks: Record<Plain, (looked: Looked) => boolean | number | undefined> = {
  equals: ({ output, value }) => output.trim() === textOf(value).trim(),
  contains: ({ output, value }) => output.includes(textOf(value)),
  icontains: ({ output, value }) => small(output).includes(small(textOf(value))),
  'contains-any': ({ output, value }) => textsOf(value).some((text) => output.includes(text)),
  'contains-all': ({ output, value }) => textsOf(value).every((text) => output.includes(text)),
  'icontains-any': ({ output, value }) => textsOf(value).some((text) => small(output).includes(small(text))),
  'icontains-all': ({ output, value }) => textsOf(value).every((text) => small(output).includes(small(text))),
  'starts-with': ({ output, value }) => output.startsWith(textOf(value)),
  regex: ({ value, matched }) => matched.get(textOf(value)),
  'is-json': ({ output, value }) => isJson(output, value),
  'contains-json': ({ output, value }) => containsJson(output, value),
  'is-refusal': ({ output }) => isRefusal(output),
  levenshtein: ({ output, value, threshold = 5 }) => levenshtein(output, textOf(value), threshold) <= threshold,
  'rouge-n': ({ output, value }) => rouge(output, textOf(value)),
  bleu: ({ output, value }) => bleu(output, textOf(value)),
  latency: ({ facts, threshold = 0 }) => facts.latencyMs <= threshold,
  // What nobody tells may be anything.
  cost: ({ facts, threshold = 0 }) => (facts.costUsd === null ? undefined : facts.costUsd <= threshold),
}
const measures: Readonly<Partial<Record<AssertionType, number>>> = { 'rouge-n': 0.75, bleu: 0.5 }

/** Looks at an output without asking anybody. Texts are compared in one form of Unicode. */
export function checkOutput({ type, threshold }: Assertion, looked: Omit<Looked, 'threshold'>): Found {
  const plain = type.replace(/^not-/, '') as Plain
  const found = checks[plain]({ ...looked, output: inOneForm(looked.output), threshold })
  if (found === undefined) return undefined
  const score = Number(found)
  const pass = typeof found === 'boolean' ? found : score >= (threshold ?? measures[plain] ?? 1)
  return type.startsWith('not-') ? { pass: !pass, score: 1 - score } : { pass, score }
}

/** A letter with a ring may be one sign or two. */
export function inOneForm(text: string): string {
  return text.normalize('NFC')
}

function textOf(value: unknown): string {
  return inOneForm(String(value))
}

function textsOf(value: unknown): string[] {
  return (value as readonly unknown[]).map(textOf)
}

function small(text: string): string {
  return text.toLocaleLowerCase('nb')
}
