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
    if (!(await isAccepted(bench, payload))) violations.push(`The definition refuses the arranged payload ${show(payload)}.`)
    for (const bad of [...NEVER_GOOD, ...badPayloads]) {
      if (await isAccepted(bench, bad))
        violations.push(`The definition accepts the bad payload ${show(bad)}: its handler would run, and try again.`)
    }
    return violations
  },
}

async function isAccepted({ options }: Bench, payload: unknown): Promise<boolean> {
  const checked = await options.package.definition.payload['~standard'].validate(payload)
  return checked.issues === undefined
}

function show(payload: unknown): string {
  return (JSON.stringify(payload) ?? String(payload)).slice(0, 200)
}
