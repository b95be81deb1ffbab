/** What a spreadsheet takes for the beginning of a formula, in the wide forms of East Asian keyboards too. */
const formula = /^[=+\-@\t\r\n＝＋－＠]/

/**
 * A line of RFC 4180. Every cell is quoted; one that a spreadsheet would calculate begins with an apostrophe, which makes it a text: what others wrote must not
 * run where it is opened. Pure.
 */
export function csvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map(cellOf).join(',')}\r\n`
}

function cellOf(value: string | number | null): string {
  const text = value === null ? '' : String(value)
  return `"${(formula.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`
}
