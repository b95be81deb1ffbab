import { inspect } from 'node:util'
import type { Job } from '../../admin/get-job.ts'
import { differences, type ExpectedJob } from './expected-job.ts'

interface Wanted {
  type: string
  count?: number | undefined
  expected: ExpectedJob
}

/** Of longer lists only this many are shown. */
const maxShown = 10

/** What was expected, in what the nearest job differs, and what was enqueued. */
export function describeMissing(jobs: readonly Job[], { type, count, expected }: Wanted): string {
  const same = jobs.filter((job) => job.job_type === type)
  const like = same.filter((job) => differences(job, expected).length === 0)
  const lines = [`Expected ${count ?? 'at least one'} ${type}${conditions(expected)}, got ${like.length}.`]
  const near = like.length === 0 ? findNearest(same, expected) : undefined
  if (near) {
    lines.push('The nearest differs in')
    for (const { path, expected: wanted, got } of differences(near, expected))
      lines.push(`  ${path}: expected ${text(wanted)}, got ${text(got)}`)
  }
  return [...lines, ...listing(jobs, same, type)].join('\n')
}

/** The jobs that should not be. */
export function describeFound(jobs: readonly Job[], { type, expected }: Wanted): string {
  return [`Expected no ${type}${conditions(expected)}, got ${jobs.length}:`, ...shown(jobs)].join('\n')
}

/** The two sides of a diff, for frameworks that draw one: of the nearest job only where it differs. */
export function twoSides(jobs: readonly Job[], { type, count, expected }: Wanted): { actual: unknown; expected: unknown } {
  const near = findNearest(
    jobs.filter((job) => job.job_type === type),
    expected,
  )
  if (!near) return { actual: [...new Set(jobs.map((job) => job.job_type))], expected: [type] }
  const found = differences(near, expected)
  if (found.length === 0)
    return { actual: jobs.filter((job) => job.job_type === type && differences(job, expected).length === 0).length, expected: count }
  return {
    actual: Object.fromEntries(found.map(({ path, got }) => [path, got])),
    expected: Object.fromEntries(found.map(({ path, expected: wanted }) => [path, wanted])),
  }
}

function findNearest(jobs: readonly Job[], expected: ExpectedJob): Job | undefined {
  const ranked = jobs.map((job) => ({ job, distance: differences(job, expected).length }))
  return ranked.sort((a, b) => a.distance - b.distance)[0]?.job
}

function conditions(expected: ExpectedJob): string {
  const named = Object.entries(expected).filter(([, value]) => value !== undefined)
  return named.length === 0 ? '' : ` with ${named.map(([name, value]) => `${name} ${text(value)}`).join(', ')}`
}

function listing(jobs: readonly Job[], same: readonly Job[], type: string): string[] {
  if (jobs.length === 0) return ['Nothing was enqueued.']
  const others = Map.groupBy(jobs, (job) => job.job_type)
  others.delete(type)
  const rest = [...others].map(([name, list]) => `${name} ×${list.length}`).join(', ')
  return [
    ...(same.length === 0 ? [] : [`Enqueued as ${type}:`, ...shown(same)]),
    ...(rest === '' ? [] : [same.length === 0 ? `Enqueued instead: ${rest}` : `And others: ${rest}`]),
  ]
}

function shown(jobs: readonly Job[]): string[] {
  const lines = jobs.slice(0, maxShown).map((job) => `  ${job.status}, priority ${job.priority}, ${text(job.payload)}`)
  return jobs.length > maxShown ? [...lines, `  … and ${jobs.length - maxShown} more`] : lines
}

function text(value: unknown): string {
  const written = inspect(value, { depth: 5, breakLength: Number.POSITIVE_INFINITY, maxArrayLength: 20, maxStringLength: 200 })
  return written.length > 500 ? `${written.slice(0, 500)}…` : written
}
