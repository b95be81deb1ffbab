/** What the collection knows about an episode's file. */
export interface EpisodeLength {
  /** The audio's length in seconds. */
  durationS: number
  /** Bytes before the audio: tags and cover art. Default 0. */
  headerBytes?: number | undefined
}

const MINUTE_S = 60

/**
 * How many bytes of a file a listener must receive to count: its header and one minute of audio. The whole file when the length is
 * unknown or at most a minute (IAB 2.3). Undefined when the file's size is unknown: nothing can be decided then.
 */
export function thresholdBytes(totalBytes: number | undefined, length: EpisodeLength | undefined): number | undefined {
  if (totalBytes === undefined) return undefined
  if (length === undefined || length.durationS <= MINUTE_S) return totalBytes
  const headerBytes = Math.min(length.headerBytes ?? 0, totalBytes)
  const minuteBytes = Math.ceil(((totalBytes - headerBytes) * MINUTE_S) / length.durationS)
  return Math.min(headerBytes + minuteBytes, totalBytes)
}
