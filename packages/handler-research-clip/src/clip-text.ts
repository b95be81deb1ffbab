import { legible } from '@sidelinja/jobs-kit'

/** A line of a clip, or a few short ones; the model sees them as numbered segments. */
export interface Line {
  readonly text: string
  /** A blank line stands before it. */
  readonly apart: boolean
}

/** A clip without what was left out. */
export interface Content {
  readonly text: string
  readonly leftOut: { readonly lines: number; readonly characters: number }
  /** Lines that were to be left out and are not, because they were most of the text. */
  readonly kept: number
}

/** More would cost more in numbers than in words. */
const mostLines = 2_000
/** Who takes more than that for menus has been misled. */
const mostLeftOut = 0.5

/** Pasted text as lines without superfluous blanks, nor what nobody sees. Never none where there is a letter. */
export function readLines(pasted: string): Line[] {
  const lines: Line[] = []
  let apart = false
  for (const raw of legible(pasted).normalize('NFC').replaceAll('\u00ad', '').split('\n')) {
    const text = raw.replace(/\s+/g, ' ').trim()
    if (text !== '') lines.push({ text, apart: apart && lines.length > 0 })
    apart = text === ''
  }
  return joinShort(lines)
}

/** The text of all lines but those; of all, where those are most of it. */
export function leaveOut(lines: readonly Line[], numbers: readonly number[]): Content {
  const out = new Set(numbers.filter((number) => lines[number - 1] !== undefined))
  const characters = [...out].reduce((sum, number) => sum + (lines[number - 1]?.text.length ?? 0), 0)
  const all = lines.reduce((sum, { text }) => sum + text.length, 0)
  if (characters > all * mostLeftOut) return { text: join(lines), leftOut: { lines: 0, characters: 0 }, kept: out.size }
  return {
    text: join(lines.map((line, index) => (out.has(index + 1) ? { ...line, text: '' } : line))),
    leftOut: { lines: out.size, characters },
    kept: 0,
  }
}

/** A blank line stays where one stood, also before a line that is gone. */
function join(lines: readonly Line[]): string {
  let joined = ''
  let gap = false
  for (const { text, apart } of lines) {
    gap ||= apart
    if (text === '') continue
    joined += joined === '' ? text : `${gap ? '\n\n' : '\n'}${text}`
    gap = false
  }
  return joined
}

function joinShort(lines: readonly Line[]): Line[] {
  const each = Math.ceil(lines.length / mostLines)
  if (each < 2) return [...lines]
  const joined: Line[] = []
  for (let at = 0; at < lines.length; at += each) joined.push({ text: join(lines.slice(at, at + each)), apart: lines[at]?.apart ?? false })
  return joined
}
