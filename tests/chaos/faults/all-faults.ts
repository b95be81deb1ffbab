import { clock } from './clock.ts'
import type { Fault } from './fault.ts'
import { killAtSteps } from './kill-at-steps.ts'
import { killRandom } from './kill-random.ts'
import { pause } from './pause.ts'
import { proxy } from './proxy.ts'
import { race } from './race.ts'
import { rolling } from './rolling.ts'
import { server } from './server.ts'
import { terminate } from './terminate.ts'

/** Every fault, in the order of the table. A new one is a file of this folder and a name here. */
export const allFaults: readonly Fault[] = [killRandom, killAtSteps, proxy, pause, terminate, server, clock, rolling, race]

/** What cannot be tried on one machine; the table says so. */
export const notTried = [
  "the database's own clock: it is the machine's",
  'a standby that takes over',
  'a full disk',
  'a network between machines',
] as const
