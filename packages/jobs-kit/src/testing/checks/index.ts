import type { Check } from '../conformance.ts'
import { abortedBeforeCheck, abortedDuringCheck } from './abort.ts'
import { badPayloadCheck } from './bad-payload.ts'
import { completesCheck } from './completes.ts'
import { definitionCheck } from './definition.ts'
import { inAWorkerCheck } from './in-a-worker.ts'
import { nothingOnFailureCheck } from './nothing-on-failure.ts'
import { secondRunCheck } from './second-run.ts'
import { otherCollectionsCheck, ownRowsCheck } from './tenant.ts'

/** The rules every handler keeps, in the order they are tested. */
export const handlerChecks: readonly Check[] = [
  definitionCheck,
  badPayloadCheck,
  completesCheck,
  abortedBeforeCheck,
  abortedDuringCheck,
  nothingOnFailureCheck,
  ownRowsCheck,
  otherCollectionsCheck,
  secondRunCheck,
  inAWorkerCheck,
]
