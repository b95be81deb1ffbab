import type { Cell } from '../harness/cells.ts'
import { median } from '../harness/numbers.ts'
import type { Column, Measurement } from '../measurement.ts'

/** The tables of one measurement: a row per setting, a column per contender, and in each field the median and the range. */
export function tablesOf(measurement: Measurement, cells: readonly Cell[]): string {
  const contenders = measurement
    .settings(1)
    .flatMap(({ contenders }) => contenders)
    .filter((name, index, all) => all.indexOf(name) === index && cells.some((cell) => cell.contender === name))
  return measurement.columns.map((column) => table(measurement, column, contenders, cells)).join('\n\n')
}

function table(measurement: Measurement, column: Column, contenders: readonly string[], cells: readonly Cell[]): string {
  const settings = measurement.settings(1).map(({ name }) => name)
  const rows = settings.map((setting) => {
    const fields = contenders.map((contender) => cells.filter((cell) => cell.setting === setting && cell.contender === contender))
    return `| ${setting} | ${fields.map((field) => summary(field.map((cell) => cell.figures[column.figure]))).join(' | ')} |`
  })
  const head = `| ${column.title} | ${contenders.join(' | ')} |\n|---|${contenders.map(() => '---').join('|')}|`
  return `${head}\n${rows.join('\n')}`
}

function summary(values: readonly (number | undefined)[]): string {
  if (values.length === 0) return ''
  const known = values.filter((value) => value !== undefined && value !== null)
  if (known.length === 0) return 'never'
  const [least, most] = [Math.min(...known), Math.max(...known)]
  return known.length === 1 ? readable(least) : `**${readable(median(known))}** (${readable(least)}–${readable(most)})`
}

/** Three digits that count; thousands with a comma. */
export function readable(value: number): string {
  const digits = Math.abs(value) >= 100 || Number.isInteger(value) ? 0 : Math.abs(value) >= 10 ? 1 : 2
  return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })
}
