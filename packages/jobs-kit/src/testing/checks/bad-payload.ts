import { isJobsError } from '@sidelinja/jobs-core'
import { runHandler } from '@sidelinja/jobs-core/testing'
import type { Bench, Check } from '../conformance.ts'

/** No handler takes these: a payload is an object. */
const NEVER_GOOD: readonly unknown[] = [null, true, 42, 'text', []]

/** A payload that can never work is refused by the definition, so at enqueue and again before the handler runs: a permanent error. */
export const badPayloadCheck: Check = {
  name: 'refuses a bad payload before it runs',
  async run(bench: Bench) {
    const { badPayloads } = bench.options
    const { payload } = await bench.arrange()
    const violations = badPayloads.length === 0 ? ['badPayloads is empty: give at least one payload that must be refused.'] : []
    if (await isRefused(bench, payload)) violations.push(`The definition refuses the arranged payload ${show(payload)}.`)
    for (const bad of [...NEVER_GOOD, ...badPayloads]) {
      if (!(await isRefused(bench, bad)))
        violations.push(`The definition accepts the bad payload ${show(bad)}: its handler would run, and try again.`)
    }
    return violations
  },
}

/** True when a worker ends a job with this payload at once: a permanent error, before the handler. */
async function isRefused({ handler }: Bench, payload: unknown): Promise<boolean> {
  let ran = false
  const watched = {
    definition: handler.definition,
    async run() {
      ran = true
      return {}
    },
  }
  try {
    await runHandler(watched, { payload })
    return false
  } catch (error) {
    return !ran && isJobsError(error, 'permanent')
  }
}

function show(payload: unknown): string {
  return (JSON.stringify(payload) ?? String(payload)).slice(0, 200)
}
