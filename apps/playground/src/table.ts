/** Rows as columns of text, numbers to the right. */
export function formatTable(heading: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const widths = heading.map((title, column) => Math.max(title.length, ...rows.map((row) => String(row[column]).length)))
  const isNumber = heading.map((_, column) => rows.every((row) => typeof row[column] === 'number'))
  const line = (cells: readonly (string | number)[]) =>
    cells
      .map((cell, column) => (isNumber[column] ? String(cell).padStart(widths[column] ?? 0) : String(cell).padEnd(widths[column] ?? 0)))
      .join('  ')
      .trimEnd()
  return [line(heading), line(widths.map((width) => '─'.repeat(width))), ...rows.map(line)].join('\n')
}
