import { PermanentError } from '../errors/permanent-error.ts'
import { LeaseLostError } from '../errors/queue-error.ts'
import type { JsonValue } from '../json/json-value.ts'
import { makeStorable } from '../json/make-storable.ts'
import { loadSteps } from '../queue/load-steps.ts'
import { saveStep } from '../queue/save-step.ts'
import { show } from '../text/show.ts'
import type { ActiveRun } from './active-run.ts'
import type { Runtime } from './runtime.ts'
import { whileLeaseHolds } from './while-lease-holds.ts'

/** 1 MiB per step. */
export const MAX_STEP_BYTES = 1_048_576
const maxNameLength = 200

export interface Steps {
  run<T extends JsonValue>(name: string, fn: () => Promise<T>): Promise<T>
  used(): boolean
}

/** A run's durable steps: loaded once, at the first step, and stored one by one as they are done. */
export function createSteps(runtime: Runtime, run: ActiveRun): Steps {
  let stored: Promise<Map<string, string>> | undefined
  const begun = new Set<string>()
  return {
    used: () => stored !== undefined,
    async run<T extends JsonValue>(name: string, fn: () => Promise<T>): Promise<T> {
      checkStepName(name, begun)
      begun.add(name)
      stored ??= whileLeaseHolds(runtime, () => loadSteps(runtime.queue, run.job.id))
      const known = (await stored).get(name)
      if (known !== undefined) return JSON.parse(known) as T
      run.signal.throwIfAborted()
      const resultJson = makeStorable((await fn()) ?? null, `result of step ${JSON.stringify(name)}`, MAX_STEP_BYTES) as string
      const step = { id: run.job.id, run: run.job.run, name, resultJson }
      if (!(await whileLeaseHolds(runtime, () => saveStep(runtime.queue, step)))) {
        run.abort('lease_lost')
        throw new LeaseLostError('LEASE_LOST', `Step ${JSON.stringify(name)} was done, but the job belongs to another worker now.`)
      }
      // What the handler sees is what a later attempt would see.
      return JSON.parse(resultJson) as T
    },
  }
}

/** @throws PermanentError `STEP_NAME_INVALID`, `STEP_NAME_TWICE` */
export function checkStepName(name: string, begun: ReadonlySet<string>): void {
  if (typeof name !== 'string' || name === '' || name.length > maxNameLength || name.includes('\0') || !name.isWellFormed()) {
    throw new PermanentError(
      'STEP_NAME_INVALID',
      `A step needs a name of 1 to ${maxNameLength} characters without NUL or half surrogates, got ${show(name)}.`,
    )
  }
  if (begun.has(name)) {
    throw new PermanentError('STEP_NAME_TWICE', `Step ${JSON.stringify(name)} is used twice in one run; give each step a name of its own.`)
  }
}
