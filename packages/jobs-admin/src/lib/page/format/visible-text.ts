/** Control characters but tab and line feed, what turns the direction of writing around, what has no width, tags, and halves of pairs. */
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\u115f\u1160\u3164\uffa0]/gu
/** Emoji are joined with it; it does no harm. */
const harmless = new Set(['\t', '\n', '\u200d', '\u00ad'])

/** Text that came from outside, with what cannot be seen made visible: `a\u202eb` as `a⟨U+202E⟩b`. Pure. */
export function visibleText(text: string): string {
  return text.replace(hidden, (character) => {
    if (harmless.has(character)) return character
    return `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`
  })
}

/** The same in one line. */
export function visibleLine(text: string, max = 300): string {
  const line = visibleText(text.slice(0, 4 * max))
    .replace(/\s+/g, ' ')
    .trim()
  return line.length > max ? `${line.slice(0, max).toWellFormed()} …` : line
}
