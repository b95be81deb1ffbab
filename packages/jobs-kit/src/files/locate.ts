import { type FileHandle, readlink, realpath, stat } from 'node:fs/promises'

/** Says where an open file lies: an absolute path without links; undefined when `expected`, where it should lie, names another file by now. */
export type Locate = (handle: FileHandle, expected: string) => Promise<string | undefined>

/** Asks the kernel where there is /proc (Linux); elsewhere looks at the path again and compares the two files. */
export const locate: Locate = async (handle, expected) => (await locateByDescriptor(handle, expected)) ?? locateByIdentity(handle, expected)

/** The kernel's own answer, so there is no race: the descriptor is the file. */
export const locateByDescriptor: Locate = (handle) => readlink(`/proc/self/fd/${handle.fd}`).catch(() => undefined)

/** The path's real place, if the file there is the one that is open. */
export const locateByIdentity: Locate = async (handle, expected) => {
  const place = await realpath(expected).catch(() => undefined)
  if (place === undefined) return undefined
  const found = await stat(place, { bigint: true }).catch(() => undefined)
  const open = await handle.stat({ bigint: true })
  return found?.dev === open.dev && found.ino === open.ino ? place : undefined
}
