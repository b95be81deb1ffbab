/** What is left of a cue's text without marks for players. */
export interface PlainText {
  readonly text: string
  readonly speaker: string | null
}

/** Voices, fonts, `<i>`, karaoke times, `{\an8}`, `{y:i}`: marks, never words. */
const MARK = /<\/?[A-Za-z][^<>\n]*>|<\d[\d:.]*>|\{\\[^{}\n]*\}|\{[a-z]:[^{}\n]*\}/g
const VOICE = /<v(?:\.[^\s<>]*)?[ \t]([^<>\n]+)>/g
const SPEAKER = /^\s*\[([^[\]\n]{1,100})\]:[ \t]*/
/** A mark within a mark within a mark … nobody writes. */
const MOST_LAYERS = 10

/**
 * A cue's text without marks. Who speaks comes from `<v Eva>`, or from `[Eva]: ` at its beginning, as recognisers with diarisation write it.
 * Several voices in one cue stay in the text: `Eva: …`. Entities (`&amp;`) are read where the format has them, in VTT.
 */
export function toPlainText(marked: string, format: 'srt' | 'vtt'): PlainText {
  const voices = new Set(Array.from(marked.matchAll(VOICE), ([, name = '']) => readEntities(name, format).trim()))
  const several = voices.size > 1
  const text = readEntities(stripMarks(several ? marked.replace(VOICE, (_, name: string) => `${name.trim()}: `) : marked), format)
  const [voice] = voices
  if (voice) return { text, speaker: several ? null : voice }
  const speaker = SPEAKER.exec(text)
  return speaker ? { text: text.slice(speaker[0].length), speaker: speaker[1]?.trim() || null } : { text, speaker: null }
}

function stripMarks(marked: string): string {
  let text = marked
  // What is left may be a mark again: <scr<i>ipt>.
  for (let layer = 0; layer < MOST_LAYERS; layer++) {
    const less = text.replace(MARK, '')
    if (less === text) break
    text = less
  }
  return text
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  lrm: '\u200e',
  rlm: '\u200f',
}

function readEntities(text: string, format: 'srt' | 'vtt'): string {
  if (format === 'srt') return text
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,6}));/gi, (entity, decimal, hex, name) => {
    if (name) return ENTITIES[name] ?? entity
    const code = decimal ? Number(decimal) : Number.parseInt(hex, 16)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : entity
  })
}
