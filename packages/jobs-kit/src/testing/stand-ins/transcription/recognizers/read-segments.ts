import { deflateSync } from 'node:zlib'
import type { TranscribedWord, VerboseSegment } from '../transcription.ts'

/** A pause of this length ends a segment. */
const pauseS = 0.4
const maxSegmentS = 30

/** Segments out of what `pocketsphinx_continuous -time yes` prints: a line for each utterance, then one for each of its words. */
export function readSegments(output: string): VerboseSegment[] {
  const groups: TranscribedWord[][] = []
  for (const word of readWords(output)) {
    const group = groups.at(-1)
    const first = group?.[0]
    const last = group?.at(-1)
    const fits = first !== undefined && last !== undefined && word.start - last.end < pauseS && word.end - first.start <= maxSegmentS
    if (fits) group?.push(word)
    else groups.push([word])
  }
  return groups.map(toSegment)
}

/** Lines like `welcome(2) 0.720 1.140 0.999600`; `<sil>` and `[NOISE]` are no words. */
function readWords(output: string): TranscribedWord[] {
  return output.split('\n').flatMap((line) => {
    const [, word, start, end, probability] = /^([^\s<[+]\S*?)(?:\(\d+\))? (\d+\.\d+) (\d+\.\d+) (\d+\.\d+)$/.exec(line) ?? []
    if (word === undefined) return []
    return [{ word, start: Number(start), end: Number(end), probability: Math.min(1, Number(probability)) }]
  })
}

function toSegment(words: readonly TranscribedWord[]): VerboseSegment {
  const text = words.map(({ word }) => ` ${word}`).join('')
  const logprobs = words.map(({ probability }) => Math.log(Math.max(probability, 1e-6)))
  return {
    start: words[0]?.start ?? 0,
    end: words.at(-1)?.end ?? 0,
    text,
    avg_logprob: logprobs.reduce((sum, value) => sum + value, 0) / words.length,
    compression_ratio: Buffer.byteLength(text) / deflateSync(text).length,
    no_speech_prob: 0,
    words,
  }
}
