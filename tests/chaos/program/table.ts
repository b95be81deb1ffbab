import type { Figures } from './figures.ts'

const columns = ['fault', 'jobs', 'faults', 'lost', 'repeated, and why', 'late writes refused', 'back after (p99)', 'took'] as const

/** The figures as a table that is also one of Markdown. */
export function formatTable(figures: readonly Figures[]): string {
  const rows = [columns as readonly string[], ...figures.map(toRow)]
  const widths = columns.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)))
  const line = (cells: readonly string[]) => `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  const [head = [], ...body] = rows
  return [line(head), `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`, ...body.map(line)].join('\n')
}

function toRow(of: Figures): string[] {
  const why = Object.entries(of.repeated)
    .toSorted(([, a], [, b]) => b - a)
    .map(([reason, count]) => `${reason} ${count}`)
  const repeats = Object.values(of.repeated).reduce((sum, count) => sum + count, 0)
  return [
    of.title,
    String(of.jobs),
    String(of.faults),
    String(of.lost),
    repeats === 0 ? '0' : `${repeats}: ${why.join(', ')}`,
    String(of.lateRefused),
    of.recoveryP99Ms === null ? '–' : `${(of.recoveryP99Ms / 1_000).toFixed(1)} s`,
    `${Math.round(of.seconds)} s`,
  ]
}

/** The last line: what the whole program found. */
export function lastLine(figures: readonly Figures[], seed: number): string {
  const sum = (of: (figures: Figures) => number) => figures.reduce((total, one) => total + of(one), 0)
  const [lost, unexplained, all] = [sum((one) => one.lost), sum((one) => one.unexplained), sum((one) => one.violations.length)]
  const promise = `lost ${lost}, unexplained repeats ${unexplained}`
  if (all === 0) return promise
  const where = figures.filter(({ violations }) => violations.length > 0).map(({ fault }) => fault)
  return `${promise}, other faults ${all - lost - unexplained}: seed ${seed}, in ${where.join(', ')}`
}
