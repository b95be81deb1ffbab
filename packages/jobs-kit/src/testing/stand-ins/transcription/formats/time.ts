/** Hours, minutes and seconds with milliseconds after the mark: SRT writes a comma, VTT a dot. */
export function clock(milliseconds: number, mark: ',' | '.', hours: 'always' | 'when-needed' = 'always'): string {
  const part = (value: number, digits = 2) => String(Math.trunc(value)).padStart(digits, '0')
  const hour = Math.trunc(milliseconds / 3_600_000)
  const rest = `${part((milliseconds % 3_600_000) / 60_000)}:${part((milliseconds % 60_000) / 1_000)}${mark}${part(milliseconds % 1_000, 3)}`
  return hours === 'always' || hour > 0 ? `${part(hour)}:${rest}` : rest
}
