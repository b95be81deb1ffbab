import { constants } from 'node:fs'
import { open, opendir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { PermanentError } from '@sidelinja/jobs-core'
import { folderNames } from './folder-names.ts'
import { locateByDescriptor } from './locate.ts'
import type { Below } from './open-below.ts'
import { openingFailed, rootGone } from './opening-failed.ts'
import { quote } from './relative-path.ts'

const FOLDER_FLAGS = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0)

/**
 * The names of the regular files in a folder below a root, sorted. Links, folders, devices and names that no payload could hold are
 * left out. The folder is opened first and asked where it lies, then it is read by its descriptor: what is swapped in meanwhile is
 * not read. Where there is no /proc the path is compared before and after instead. A name is only a name: open it to be sure.
 * @param below `path` is '' for the root itself.
 */
export async function listBelow(below: Below): Promise<string[]> {
  const root = await realpath(below.root).catch((error) => {
    throw rootGone(error, below.name)
  })
  const folder = join(root, below.path)
  // Windows opens no folders.
  const names = constants.O_DIRECTORY === undefined ? await readByPath(folder, below) : await readByDescriptor(folder, below)
  if (names === undefined) throw behindLink(below)
  return names.sort()
}

/** Undefined when the folder lies elsewhere. */
async function readByDescriptor(folder: string, below: Below): Promise<string[] | undefined> {
  const handle = await open(folder, FOLDER_FLAGS).catch((error) => {
    throw openingFailed(error, below)
  })
  try {
    const place = await locateByDescriptor(handle, folder)
    if (place === undefined) return await readByPath(folder, below)
    return place === folder ? await readNames(`/proc/self/fd/${handle.fd}`, below) : undefined
  } finally {
    await handle.close()
  }
}

async function readByPath(folder: string, below: Below): Promise<string[] | undefined> {
  const lies = async () => (await realpath(folder).catch(() => undefined)) === folder
  if (!(await lies())) return undefined
  const names = await readNames(folder, below)
  return (await lies()) ? names : undefined
}

async function readNames(folder: string, below: Below): Promise<string[]> {
  const opened = await opendir(folder).catch((error) => {
    throw openingFailed(error, below)
  })
  return folderNames(opened, below)
}

function behindLink({ name, path }: Below): PermanentError {
  return new PermanentError(
    'FILE_SYMLINK',
    `The folder ${quote(path)} below ${name} is reached through a link. Links are not followed: give the real path.`,
  )
}
