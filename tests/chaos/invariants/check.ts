import type { History, Violation } from '../history/history.ts'
import { attemptsAreCounted } from './attempts-are-counted.ts'
import { historyIsWhole } from './history-is-whole.ts'
import { nothingLost } from './nothing-lost.ts'
import { nothingStaysRunning } from './nothing-stays-running.ts'
import { oneCompletion } from './one-completion.ts'
import { orderIsKept } from './order-is-kept.ts'
import { repeatsAreExplained } from './repeats.ts'
import { runOnlyGrows } from './run-only-grows.ts'

/** Every invariant, checked against what really happened. Empty when all of them held. */
export function checkInvariants(history: History): Violation[] {
  return [
    nothingLost,
    runOnlyGrows,
    oneCompletion,
    repeatsAreExplained,
    attemptsAreCounted,
    nothingStaysRunning,
    historyIsWhole,
    orderIsKept,
  ].flatMap((check) => check(history))
}
