import { isStopword, wordsOf } from '../extractive/words.ts'

/** Turns texts into vectors. */
export interface Embedder {
  /** What it is, so that nobody takes it for something else. */
  readonly name: string
  /** One vector for each text, in order, all of one length. */
  readonly embed: (texts: readonly string[]) => readonly number[][] | Promise<readonly number[][]>
}

const dimensions = 256
const letters = 3

/**
 * Vectors of which groups of three letters a text has: the same each time, in any language, and without a model. Texts with the same words are near each
 * other; that two words mean the same it does not know.
 */
export const hashedNgrams: Embedder = { name: 'hashed letter groups', embed: (texts) => texts.map(hashText) }

function hashText(text: string): number[] {
  const vector = new Array<number>(dimensions).fill(0)
  const words = wordsOf(text)
  const telling = words.filter((word) => word.length > 2 && !isStopword(word))
  for (const word of telling.length > 0 ? telling : [text]) {
    for (const group of groupsOf(`<${word}>`)) {
      const hash = fnv1a(group)
      const at = hash % dimensions
      vector[at] = (vector[at] ?? 0) + (hash & 0x80000000 ? 1 : -1)
    }
  }
  // Groups may take each other away; a vector of zeros is none.
  return vector.some((value) => value !== 0) ? vector : vector.with(0, 1)
}

function groupsOf(word: string): string[] {
  const signs = [...word]
  return Array.from({ length: Math.max(1, signs.length - letters + 1) }, (_, at) => signs.slice(at, at + letters).join(''))
}

function fnv1a(text: string): number {
  let hash = 0x811c9dc5
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0
  return hash
}
