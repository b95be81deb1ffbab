import { existsSync } from 'node:fs'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ConfigurationError } from '@sidelinja/jobs-core'

/** Puts a file into a folder of the state. Renamed into place, so that an interrupted start leaves no half of it. */
export async function keepFile(folder: string, name: string, content: string | Buffer): Promise<void> {
  try {
    await makeFolder(folder)
    await writeFile(join(folder, `${name}.new`), content)
    await rename(join(folder, `${name}.new`), join(folder, name))
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException
    if (code === 'ENOSPC') throw cause
    throw new ConfigurationError(
      'DATA_FOLDER_UNUSABLE',
      `${folder} cannot be used: ${message}. Expected a folder this user may create and write; choose another with --state.`,
      { cause },
    )
  }
}

/** Folder by folder: Node's own `recursive` never ends where the system says ENOENT for one whose parent is there, as below /proc. */
async function makeFolder(folder: string): Promise<void> {
  if (existsSync(folder)) return
  if (dirname(folder) !== folder) await makeFolder(dirname(folder))
  await mkdir(folder)
}
