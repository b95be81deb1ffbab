import { type Candidate, findCandidates, readCandidates } from './candidates.ts'
import type { Data } from './data.ts'
import { findNames, type Name } from './names.ts'
import { type Passage, readPassages } from './passages.ts'
import { rankSentences, type Sentence } from './sentences.ts'
import type { Language } from './stopwords.ts'
import { languageOf } from './words.ts'

/** What the model knows when it fills a schema. */
export interface Source {
  data: Data
  passages: readonly Passage[]
  sentences: readonly Sentence[]
  language: Language
  /** People, most often named first. */
  names: readonly Name[]
  /** Everything that can be referred to. */
  candidates: readonly Candidate[]
  /** Those of them that the text names, most often named first. */
  matches: readonly Candidate[]
}

export function readSource(data: Data): Source {
  const passages = readPassages(data)
  const sentences = rankSentences(passages)
  const candidates = readCandidates(data)
  return {
    data,
    passages,
    sentences,
    language: languageOf(passages.map(({ text }) => text).join('\n')),
    names: findNames(sentences, data),
    candidates,
    matches: findCandidates(candidates, sentences),
  }
}
