/** Letters, digits and signs such as € and emoji, but for those that show nothing. */
const SHOWN = /(?![\u2800\p{Default_Ignorable_Code_Point}])[\p{L}\p{N}\p{S}]/u

/** True for a text of a model that says nothing: blanks, what nobody sees, and punctuation, such as the `…` that `keepOnlyLinksOf` leaves. */
export function isBlank(text: string): boolean {
  return !SHOWN.test(text)
}
