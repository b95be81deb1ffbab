/**
 * Bytes the JSON text takes in PostgreSQL at most: numbers in exponent form are written out there (1e308 has 309 digits). Spaces
 * that PostgreSQL adds are not counted; the table's own limit is twice ours for them.
 */
export function storedSize(json: string): number {
  let bytes = Buffer.byteLength(json)
  if (!/[0-9]e[+-]/.test(json)) return bytes
  // Text that merely looks like such a number only makes the estimate larger, never smaller.
  for (const [, exponent] of json.matchAll(/[0-9]e[+-](\d{1,3})/g)) bytes += Number(exponent)
  return bytes
}
