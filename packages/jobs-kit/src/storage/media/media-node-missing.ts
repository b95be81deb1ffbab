import { PermanentError } from '@sidelinja/jobs-core'

/** There is nothing that a transcript, or a waveform, could belong to. */
export function mediaNodeMissing(mediaNodeId: string): PermanentError {
  return new PermanentError(
    'MEDIA_NODE_MISSING',
    `Expected mediaNodeId to be a node, got ${mediaNodeId}, which does not exist (any more). There is nothing to keep the result with; if the id is wrong, enqueue with the right one.`,
  )
}
