import type { PromptEval } from '@sidelinja/jobs-kit/storage'
import type { ModelResult } from './job.ts'
import { stateOf } from './state-of.ts'

/** What one model came to, of so many cells. */
export function summarise(model: string, rows: readonly PromptEval[], cells: number): ModelResult {
  const states = rows.map(stateOf)
  const count = (state: string) => states.filter((each) => each === state).length
  const [passed, failed, errors, ungraded] = [count('passed'), count('failed'), count('error'), count('ungraded')]
  const graded = passed + failed + errors
  const scores = rows.flatMap((row, at) => (row.score !== null ? [row.score] : states[at] === 'error' ? [0] : []))
  const latencies = rows.filter((row, at) => states[at] !== 'error' || row.cut).map(({ latencyMs }) => latencyMs)
  return {
    ...{ model, graded, passed, failed, errors, ungraded, left: cells - graded - ungraded },
    ...{ passRate: graded === 0 ? null : round(passed / graded), score: scores.length === 0 ? null : round(mean(scores)) },
    ...{ scoreMargin: marginOf(scores), latencyP50Ms: percentile(latencies, 0.5), latencyP95Ms: percentile(latencies, 0.95) },
    costUsd: usd(sumOf(rows.map(({ costUsd }) => costUsd ?? 0))),
    promptTokens: sumOf(rows.map(({ promptTokens }) => promptTokens ?? 0)),
    completionTokens: sumOf(rows.map(({ completionTokens }) => completionTokens ?? 0)),
  }
}

/** To what `ai_calls` holds. */
export function usd(amount: number): number {
  return Number(amount.toFixed(8))
}

/** The smallest that so many are not above. */
export function percentile(values: readonly number[], share: number): number | null {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null
}

/** Of a mean, as if cells were independent and many. */
function marginOf(scores: readonly number[]): number | null {
  if (scores.length < 2) return null
  const middle = mean(scores)
  const variance = sumOf(scores.map((score) => (score - middle) ** 2)) / (scores.length - 1)
  return round(1.96 * Math.sqrt(variance / scores.length))
}

function mean(values: readonly number[]): number {
  return sumOf(values) / values.length
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0)
}

function round(value: number): number {
  return Number(value.toFixed(4))
}
