import type { JsonValue } from '../../json/json-value.ts'
import { makeStorable } from '../../json/make-storable.ts'
import type { HandlerContext } from '../../worker/define-handler.ts'
import { checkStepName, MAX_STEP_BYTES } from '../../worker/steps.ts'

/** As a worker's steps, without a database: stored results come back, new ones are what JSON makes of them. */
export function createSteps(stored: Record<string, JsonValue>, signal: AbortSignal): HandlerContext<unknown>['step'] {
  const begun = new Set<string>()
  return async <T extends JsonValue>(name: string, fn: () => Promise<T>) => {
    checkStepName(name, begun)
    begun.add(name)
    if (!Object.hasOwn(stored, name)) {
      signal.throwIfAborted()
      stored[name] = JSON.parse(makeStorable((await fn()) ?? null, `result of step ${JSON.stringify(name)}`, MAX_STEP_BYTES) as string)
    }
    return stored[name] as T
  }
}
