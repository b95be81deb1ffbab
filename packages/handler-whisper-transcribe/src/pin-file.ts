import { TransientError } from '@sidelinja/jobs-core'
import type { AudioInfo, RootedFile } from '@sidelinja/jobs-kit'

/** A file in the state in which a run first saw it. */
export interface PinnedFile extends RootedFile {
  /** Names the state: steps of another one are not used. */
  readonly version: string
}

/**
 * The same file, as long as it is that: once another one stands in its place, opening it throws TransientError `AUDIO_CHANGED`. A plan of the one
 * must not be followed through the other.
 */
export function pinFile(file: RootedFile, { sizeBytes, modifiedMs }: Pick<AudioInfo, 'sizeBytes' | 'modifiedMs'>): PinnedFile {
  const version = toVersion(sizeBytes, modifiedMs)
  return Object.freeze({
    ...{ path: file.path, version },
    async open() {
      const handle = await file.open()
      try {
        const { size, mtimeMs } = await handle.stat()
        if (toVersion(size, mtimeMs) === version) return handle
        throw new TransientError('AUDIO_CHANGED', `${JSON.stringify(file.path)} was replaced while it was read. It is tried again later.`)
      } catch (error) {
        await handle.close()
        throw error
      }
    },
  })
}

function toVersion(sizeBytes: number, modifiedMs: number): string {
  return `${sizeBytes}-${Math.round(modifiedMs)}`
}
