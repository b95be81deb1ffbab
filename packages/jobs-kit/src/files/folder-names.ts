import type { Dirent } from 'node:fs'
import { PermanentError } from '@sidelinja/jobs-core'
import type { Below } from './open-below.ts'
import { isRelativePath, quote } from './relative-path.ts'

/** More entries are taken for a mistake: nobody keeps that many logs, and reading their names would take the memory of others. */
const MOST_ENTRIES = 10_000

/**
 * The names of the regular files among a folder's entries. Names that no payload could hold are left out.
 * @throws PermanentError `FOLDER_TOO_LARGE` as soon as there are too many entries, whatever they are.
 */
export async function folderNames(entries: AsyncIterable<Pick<Dirent, 'name' | 'isFile'>>, below: Omit<Below, 'root'>): Promise<string[]> {
  const names: string[] = []
  let count = 0
  for await (const entry of entries) {
    if (++count > MOST_ENTRIES) throw tooLarge(below)
    if (entry.isFile() && isRelativePath(below.name, entry.name)) names.push(entry.name)
  }
  return names
}

function tooLarge({ name, path }: Omit<Below, 'root'>): PermanentError {
  return new PermanentError(
    'FOLDER_TOO_LARGE',
    `The folder ${quote(path === '' ? '.' : path)} below ${name} holds more than ${MOST_ENTRIES} entries. Keep the files that jobs read in a folder of their own.`,
  )
}
