/** A text as PostgreSQL takes it: NUL and half surrogate pairs become U+FFFD. */
export function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\ufffd')
}
