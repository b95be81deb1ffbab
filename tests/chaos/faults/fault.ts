import type { Arena, Times } from '../arena/arena.ts'

/** How much of a fault to make. */
export interface Size {
  jobs: number
  /** How many times; of some faults: in each of their ways. */
  faults: number
  /** How long each lasts, where that is chosen. */
  lastsMs?: number
}

/** One way in which things go wrong. */
export interface Fault {
  /** For `--only`. */
  name: string
  /** For the table. */
  title: string
  full: Size
  short: Size
  /** True: nothing else can be tried meanwhile, because the server itself goes. */
  alone?: boolean
  /** Where this fault needs other times than the usual. */
  times?: Partial<Times>
  /** Brings load and makes the fault; returns how many were made. The queue is emptied and everything checked afterwards. */
  run(arena: Arena, size: Size): Promise<number>
}
