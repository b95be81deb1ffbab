import { constants } from 'node:fs'
import { type FileHandle, open, realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { PermanentError } from '@sidelinja/jobs-core'
import { type Locate, locate as locateOpenFile } from './locate.ts'
import { openingFailed, rootGone } from './opening-failed.ts'
import { quote } from './relative-path.ts'

/** The last part of the path may be no link, and a FIFO must not make us wait for its other end. Windows knows neither flag. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0)

/** A file that lies elsewhere below the root was renamed while we opened it, or a folder of its path is a link. A rename passes. */
const TRIES = 3

export interface Below {
  /** Name of the root for messages, like MEDIA_ROOT. */
  name: string
  /** Absolute path of the root's folder. */
  root: string
  /** A path that has passed `checkRelativePath`. */
  path: string
  /** How to find out where an open file lies; tests replace it. */
  locate?: Locate
}

/**
 * Opens a regular file below a root for reading. First the file is opened, then it is asked what was opened and where that lies:
 * whatever is swapped in meanwhile, the handle that is returned belongs to a file that was checked.
 */
export async function openBelow(below: Below): Promise<FileHandle> {
  const root = await realpath(below.root).catch((error) => {
    throw rootGone(error, below.name)
  })
  for (let tries = 1; tries <= TRIES; tries++) {
    const handle = await openChecked({ ...below, root })
    if (handle !== undefined) return handle
  }
  throw new PermanentError(
    'FILE_SYMLINK',
    `A folder in ${quote(below.path)} below ${below.name} is a link. Links are not followed: give the real path.`,
  )
}

/** The open file, or undefined when it is a proper one that lies at another path below the root. Anything else throws. */
async function openChecked(below: Below): Promise<FileHandle | undefined> {
  const handle = await openUnchecked(below)
  try {
    if (await isExpectedFile(handle, below)) return handle
  } catch (error) {
    await handle.close()
    throw error
  }
  await handle.close()
  return undefined
}

async function openUnchecked(below: Below): Promise<FileHandle> {
  try {
    return await open(join(below.root, below.path), FLAGS)
  } catch (error) {
    throw openingFailed(error, below)
  }
}

async function isExpectedFile(handle: FileHandle, { name, root, path, locate = locateOpenFile }: Below): Promise<boolean> {
  const stats = await handle.stat({ bigint: true })
  if (!stats.isFile()) {
    throw new PermanentError('FILE_NOT_REGULAR', `${quote(path)} below ${name} is a folder, a device or a pipe. Expected a regular file.`)
  }
  const expected = join(root, path)
  const found = await locate(handle, expected)
  if (found !== undefined && !found.startsWith(root.endsWith(sep) ? root : root + sep)) {
    throw new PermanentError(
      'FILE_OUTSIDE_ROOT',
      `${quote(path)} leads out of ${name} through a link. Links are not followed: put the file itself there.`,
    )
  }
  if (stats.nlink > 1n) {
    throw new PermanentError(
      'FILE_HARD_LINKED',
      `${quote(path)} below ${name} has ${stats.nlink} hard links, so it may be a file from elsewhere. Put a copy there instead.`,
    )
  }
  return found === expected
}
