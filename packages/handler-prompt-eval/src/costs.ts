import type { CallFacts } from '@sidelinja/jobs-kit'

/** True for a call that was answered and whose cost the gateway does not tell: under a cap it may have cost anything. */
export function isUntold({ costUsd, modelServed, completionTokens }: CallFacts): boolean {
  return costUsd === null && (modelServed !== null || completionTokens !== null)
}
