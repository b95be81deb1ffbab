import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Makes a folder and those above it. Node's own `recursive` never ends where the system says ENOENT for one whose parent is there, as below /proc. */
export async function makeFolder(folder: string): Promise<void> {
  if (existsSync(folder)) return
  if (dirname(folder) !== folder) await makeFolder(dirname(folder))
  try {
    await mkdir(folder)
  } catch (error) {
    // Another start may have been first.
    if (!existsSync(folder)) throw error
  }
}
