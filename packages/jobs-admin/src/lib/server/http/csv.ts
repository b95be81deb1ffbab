/** What stands between the cells: what a spreadsheet of the reader's language takes for it. */
export type Separator = ',' | ';'

/** What a spreadsheet takes for the beginning of a formula, in the wide forms of East Asian keyboards too, behind what it may strip. */
const formula = String.raw`(?=[\s"]*[=+\-@＝＋－＠])`
const atBeginning = new RegExp(`^${formula}`)
/** A spreadsheet that expects another separator than the file has splits cells there, quotes or not. */
const behindSeparator = new RegExp(`[;,\t]${formula}`, 'g')
const lineBreak = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/g

/**
 * A line of RFC 4180, with the separator that is given. Every cell is quoted and one line; what a spreadsheet would calculate has an apostrophe before it, which
 * makes it a text: what others wrote must not run where it is opened. Pure.
 */
export function csvLine(cells: readonly (string | number | null)[], separator: Separator): string {
  return `${cells.map(cellOf).join(separator)}\r\n`
}

function cellOf(value: string | number | null): string {
  const text = (value === null ? '' : String(value)).replace(lineBreak, '⏎')
  return `"${text.replace(atBeginning, "'").replace(behindSeparator, "$&'").replaceAll('"', '""')}"`
}
