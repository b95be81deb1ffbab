import type { ContenderName } from './contenders.ts'
import type { Stage } from './harness/arena.ts'

/** What a setting comes to: its figures, and how they went over time. */
export interface Outcome {
  figures: Record<string, number>
  series?: Record<string, number>[]
}

/** One way to measure, for all contenders that are in it. */
export interface Setting {
  /** Unique within the measurement. */
  readonly name: string
  readonly contenders: readonly ContenderName[]
  run(stage: Stage): Promise<Outcome>
}

export interface Measurement {
  /** As it is asked for, and as its results are filed. */
  readonly name: string
  /** A heading of the report. */
  readonly title: string
  /** What is measured, and how: a paragraph of the report. */
  readonly about: string
  /** The figure of the table, and its unit; more than one: a table each. */
  readonly columns: readonly Column[]
  readonly rounds: number
  /** @param size 1: as it is meant; smaller: only to see that it runs. */
  settings(size: number): readonly Setting[]
}

export interface Column {
  readonly figure: string
  readonly title: string
  readonly better: 'more' | 'less'
}
