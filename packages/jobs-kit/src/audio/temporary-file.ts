import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, open, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { TransientError } from '@sidelinja/jobs-core'
import { errorCode } from '../files/opening-failed.ts'

/** A file that is gone when it is disposed of, or when this process ends, however that happens. */
export interface TemporaryFile extends AsyncDisposable {
  readonly handle: FileHandle
  /** Good for as long as the file is open, in this process and in those it starts. */
  readonly path: string
}

/**
 * Makes an empty file that only this user may read. Where the system has a path for open files (Linux) its name is taken away at once, so
 * that a process that is killed leaves nothing behind.
 */
export async function openTemporaryFile(folder: string): Promise<TemporaryFile> {
  const name = join(folder, `sidelinja-${randomUUID()}`)
  const handle = await open(name, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, 0o600).catch((error) => {
    throw new TransientError('AUDIO_TEMP_FAILED', `No temporary file can be made in ${JSON.stringify(folder)} (${errorCode(error)}).`)
  })
  const nameless = `/proc/${process.pid}/fd/${handle.fd}`
  const isNameless = await stat(nameless).then(
    () => true,
    () => false,
  )
  if (isNameless) await unlink(name)
  return {
    ...{ handle, path: isNameless ? nameless : name },
    async [Symbol.asyncDispose]() {
      await handle.close()
      if (!isNameless) await unlink(name)
    },
  }
}
