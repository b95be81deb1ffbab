import { PermanentError, TransientError } from '@sidelinja/jobs-core'
import type { EmbeddingsReply } from '../gateway/reply.ts'
import { fromBase64, toUnit } from './vector.ts'

/** More than any model gives; what a table holds of it is bounded with it. */
const mostDimensions = 4_096

/** What the vectors must be. */
export interface Expected {
  readonly count: number
  /** As the collection's settings have it; undefined: whatever the model gives, the same for all. */
  readonly dimensions: number | undefined
}

/**
 * The vectors of a reply, each of length one, in the order in which their texts were sent: they may come in another one. A vector that stood beside the wrong text would never be noticed,
 * so a reply that is wrong in one place is refused whole.
 * @throws TransientError `EMBEDDINGS_INVALID`; PermanentError `EMBEDDING_DIMENSIONS`
 */
export function readVectors({ data }: EmbeddingsReply, { count, dimensions }: Expected): Float32Array[] {
  const given = data ?? []
  if (given.length !== count) throw invalid(`${given.length} vectors for ${count} texts`)
  const numbered = given.some(({ index }) => typeof index === 'number')
  const vectors: (Float32Array | undefined)[] = Array.from({ length: count })
  for (const [position, { index, embedding }] of given.entries()) {
    const at = numbered ? index : position
    if (typeof at !== 'number' || at < 0 || at >= count) throw invalid(`a vector with index ${String(at)} for ${count} texts`)
    if (vectors[at] !== undefined) throw invalid(`two vectors with index ${at}`)
    vectors[at] = readVector(embedding, at)
  }
  const read = vectors.filter((vector) => vector !== undefined)
  checkDimensions(read, dimensions)
  return read
}

function readVector(embedding: readonly number[] | string, at: number): Float32Array {
  const numbers = typeof embedding === 'string' ? fromBase64(embedding) : embedding
  if (numbers === undefined) throw invalid(`vector ${at} as a text that is not base64 of numbers of 32 bits`)
  const unit = toUnit(numbers)
  if (unit === undefined) throw invalid(`vector ${at} of zeros, or with something that is no number`)
  return unit
}

function checkDimensions(vectors: readonly Float32Array[], expected: number | undefined): void {
  const sizes = [...new Set(vectors.map(({ length }) => length))]
  if (sizes.length > 1) throw invalid(`vectors of different lengths: ${sizes.slice(0, 5).join(', ')}`)
  const [size = 0] = sizes
  if (size <= mostDimensions && (expected === undefined || size === expected)) return
  throw new PermanentError(
    'EMBEDDING_DIMENSIONS',
    `Expected vectors of ${expected ?? `at most ${mostDimensions}`} numbers, got ${size}. Set models.embedding in the collection's settings to another model, or have the gateway ask this one for fewer; if the model was changed on purpose, set embeddings.dimensions to ${size}. Then retry the job.`,
  )
}

function invalid(what: string): TransientError {
  return new TransientError('EMBEDDINGS_INVALID', `The AI gateway answered 200 with ${what}: nothing of it is used.`)
}
