const SHOWN = /[^\s\u2800\p{Default_Ignorable_Code_Point}]/u

/** True for blanks and what nobody sees, as marks without a width: a gateway refuses a text of nothing, and one of these is found by nobody. */
export function showsNothing(text: string): boolean {
  return !SHOWN.test(text)
}
