/** A text as it is kept. */
export interface CleanText {
  readonly text: string
  /** True when more than blanks was taken out: the text as it came is worth keeping. */
  readonly changed: boolean
  /** True when it held what no text holds: control characters, bytes that could not be read. */
  readonly odd: boolean
}

/** What recognisers leak of their own signs: `<|nb|>`, `<|0.00|>`. */
const TOKEN = /<\|[^|<>\n]{0,40}\|>/g
/** Control characters besides tab and line feed, byte order marks within, and signs that make a text read otherwise than it is stored. */
const CONTROL = /[^\P{Cc}\t\n]|[\u202d\u202e\ufeff]/gu

/** Takes control characters, recognisers' signs and superfluous blanks out of a text; lines stay apart, blank ones go. */
export function cleanText(text: string): CleanText {
  const wellFormed = text.toWellFormed().replace(/\r\n?/g, '\n')
  const legible = wellFormed.replace(CONTROL, '')
  const cleaned = legible.replace(TOKEN, '')
  return {
    text: trimLines(cleaned).normalize('NFC'),
    changed: cleaned !== text.replace(/\r\n?/g, '\n'),
    odd: legible !== wellFormed || legible.includes('\ufffd'),
  }
}

function trimLines(text: string): string {
  const lines = text.split('\n').map((line) => line.trim())
  return lines.filter((line) => line !== '').join('\n')
}
