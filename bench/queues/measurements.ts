import type { Measurement } from './measurement.ts'
import { crash } from './measurements/crash.ts'
import { drain } from './measurements/drain.ts'
import { enqueue } from './measurements/enqueue.ts'
import { growth } from './measurements/growth.ts'
import { heldXmin } from './measurements/held-xmin.ts'
import { pickUp } from './measurements/pick-up.ts'
import { startUp } from './measurements/start-up.ts'

/** All of them, in the order of the report. */
export const measurements: readonly Measurement[] = [drain, enqueue, pickUp, growth, heldXmin, crash, startUp]
