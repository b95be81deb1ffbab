import type { Candidate } from './candidates.ts'
import type { Sentence } from './sentences.ts'

/** What one item of a list is about. */
export interface Focus {
  /** The number of a passage. */
  n?: number | undefined
  sentence?: Sentence | undefined
  name?: string | undefined
  candidate?: Candidate | undefined
  /** From 0 to 1. */
  confidence: number
}

export function onSentence(sentence: Sentence): Focus {
  return { n: sentence.n, sentence, confidence: round(0.4 + 0.5 * sentence.score) }
}

export function round(value: number): number {
  return Math.round(Math.min(1, Math.max(0, value)) * 100) / 100
}
