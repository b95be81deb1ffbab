import { flow } from './flow.ts'
import { job } from './job.ts'
import { list } from './list.ts'
import { reasons } from './reasons.ts'
import { result } from './result.ts'
import { screens } from './screens.ts'
import { shell } from './shell.ts'

/** Bokmål. The other languages have the same keys. */
export const nb = { ...shell, ...list, ...job, ...reasons, ...result, ...screens, ...flow }
