const DASH = /\p{Pd}|[\u2212\u2043]/gu
const QUOTE = /[\p{Pi}\p{Pf}"'`\u00b4\u02bc\u201a\u201e\u2032\u2033\u301d-\u301f]/gu
/** Not seen: soft hyphens, joiners, marks of direction and byte order. */
const UNSEEN = /[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu

/**
 * A text as it is compared with another: without differences of case, blanks, kinds of quotation marks and dashes, and of letters written in one piece or in
 * two. Letters stay what they are: the Norwegian ones are no a or o with something on it.
 */
export function normalise(text: string): string {
  return text
    .toWellFormed()
    .replace(UNSEEN, '')
    .normalize('NFKC')
    .toLowerCase()
    .replace(DASH, '-')
    .replace(QUOTE, '"')
    .replace(/\s+/g, ' ')
    .trim()
}
