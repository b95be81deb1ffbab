import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Cell, readCells } from '../harness/cells.ts'
import type { Measurement } from '../measurement.ts'
import { measurements } from '../measurements.ts'
import { type Line, plotLines } from './plot.ts'
import { tablesOf } from './table.ts'

const root = join(import.meta.dirname, '../..')

/** What is drawn of a measurement that follows its figures over time. */
const drawn = [
  { figure: 'perS', y: 'jobs per second', logarithmic: false },
  { figure: 'claimP50', y: 'claim p50, ms', logarithmic: true },
  { figure: 'claimP99', y: 'claim p99, ms', logarithmic: true },
  { figure: 'deadRows', y: 'dead rows', logarithmic: false },
  { figure: 'walPerJob', y: 'bytes of WAL per job', logarithmic: true },
] as const

/** Writes RESULTS.md and the plots from the kept results. */
export function writeReport(folder?: string, into = root): string {
  const parts = measurements
    .map((measurement) => partOf(measurement, readCells(measurement.name, folder), into))
    .filter((part) => part !== '')
  const file = join(into, 'RESULTS.md')
  writeFileSync(file, `${head}\n\n${parts.join('\n\n')}\n`)
  return file
}

const head = `# Results

Written by \`npm run bench -- report\` from \`bench/results\`; how each is measured, and how to measure again: [README](README.md).
Medians, and the range of all rounds. All contenders on one PostgreSQL with durable commits, in turns, in one run; this queue as
\`queue_worker\` and \`queue_enqueue\` under row-level security, with leases, fences, history and statistics on. Without "default" a contender
runs in the fastest configuration its documentation describes.`

function partOf(measurement: Measurement, cells: readonly Cell[], into: string): string {
  if (cells.length === 0) return ''
  const runs = [...new Set(cells.map(({ machine, versions }) => `${machine}; ${versions}`))]
  const days = [...new Set(cells.map(({ at }) => at.slice(0, 10)))].sort()
  const busy = cells.filter(({ noise }) => noise.idle < 0.9).length
  const noise =
    busy === 0 ? 'The machine was quiet before each cell.' : `Before ${busy} of ${cells.length} cells the machine was not quiet.`
  const made = `\`npm run bench -- ${measurement.name}\`, ${days.join(' and ')}, ${runs.join(' and ')}. ${noise}`
  return [`## ${measurement.title}`, measurement.about, made, tablesOf(measurement, cells), ...plotsOf(measurement, cells, into)].join(
    '\n\n',
  )
}

function plotsOf(measurement: Measurement, cells: readonly Cell[], into: string): string[] {
  const followed = cells.filter((cell) => cell.series !== undefined)
  const settings = [...new Set(followed.map(({ setting }) => setting))]
  mkdirSync(join(into, 'plots'), { recursive: true })
  return settings.flatMap((setting) =>
    drawn.map(({ figure, ...options }) => {
      const lines: Line[] = followed
        .filter((cell) => cell.setting === setting && cell.round === 1)
        .map(({ contender, series = [] }) => ({
          name: contender,
          points: series.filter((row) => Number.isFinite(row[figure])).map((row) => ({ x: (row.s ?? 0) / 60, y: row[figure] ?? 0 })),
        }))
      const title = `${measurement.title}, ${setting}: ${options.y}`
      const name = `${measurement.name}-${setting}-${figure}`.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
      writeFileSync(join(into, 'plots', `${name}.svg`), plotLines(lines, { title, x: 'minutes', ...options }))
      return `![${title}](plots/${name}.svg)`
    }),
  )
}
