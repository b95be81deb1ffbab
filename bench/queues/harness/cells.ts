import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ContenderName } from '../contenders.ts'
import type { Noise } from './quiet.ts'

/** What one contender did once in one setting of a measurement. */
export interface Cell {
  measurement: string
  setting: string
  contender: ContenderName
  round: number
  figures: Record<string, number>
  /** Figures over time, where the measurement follows them. */
  series?: Record<string, number>[]
  noise: Noise
  at: string
  /** Of PostgreSQL and Node. */
  versions: string
  machine: string
}

const resultsFolder = join(import.meta.dirname, '../../results')

/** Cells that were measured before, in the order they were. */
export function readCells(measurement: string, folder = resultsFolder): Cell[] {
  const file = fileOf(measurement, folder)
  if (!existsSync(file)) return []
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Cell)
}

/** Written at once: what was measured stays, whatever happens to the rest. */
export function keepCell(cell: Cell, folder = resultsFolder): void {
  mkdirSync(folder, { recursive: true })
  appendFileSync(fileOf(cell.measurement, folder), `${JSON.stringify(cell)}\n`)
}

const fileOf = (measurement: string, folder: string) => join(folder, `${measurement}.jsonl`)
