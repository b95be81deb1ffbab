import { posix } from 'node:path'
import { isJobsError } from '@sidelinja/jobs-core'
import type { FileRoot, RootedFile } from '@sidelinja/jobs-kit'
import { firstSeconds, type LogHead, readHead } from './log-head.ts'
import { isRotatedName, type Packing, packingOf } from './rotated-name.ts'

/** A rotated part of a log, as it was looked at. */
export interface RotatedFile {
  file: RootedFile
  packing: Packing
  head: LogHead
}

export interface Rotated {
  /** Oldest first, none of them empty. */
  files: RotatedFile[]
  /** Paths of files that are there and cannot be read: not allowed, packed in a way that is not known, or damaged from the start. */
  unreadable: string[]
}

const TRIES = 3

/** Finds the rotated parts of a log beside it. A file that is gone between list and look is just being packed: then it starts anew. */
export async function findRotated(logs: FileRoot, logPath: string, signal: AbortSignal): Promise<Rotated> {
  for (let tries = 1; ; tries++) {
    const found: Rotated = { files: [], unreadable: [] }
    let gone = 0
    for (const file of await listRotated(logs, logPath)) {
      signal.throwIfAborted()
      const outcome = await look(file, signal)
      if (outcome === 'gone') gone++
      else if (outcome === 'unreadable') found.unreadable.push(file.path)
      else if (outcome.head.bytes.length > 0) found.files.push(outcome)
    }
    if (gone === 0 || tries === TRIES) return { ...found, files: found.files.sort(byAge) }
  }
}

async function listRotated(logs: FileRoot, logPath: string): Promise<RootedFile[]> {
  const { dir, base } = posix.parse(logPath)
  const files = (await logs.list(dir)).filter((file) => isRotatedName(base, posix.basename(file.path)))
  const paths = new Set(files.map((file) => file.path))
  // While a file is being packed, or when that broke off, both are there: the unpacked one is whole.
  return files.filter(({ path }) => packingOf(path) === 'plain' || !paths.has(path.slice(0, -posix.extname(path).length)))
}

async function look(file: RootedFile, signal: AbortSignal): Promise<RotatedFile | 'gone' | 'unreadable'> {
  const packing = packingOf(file.path)
  if (packing === 'unknown') return 'unreadable'
  try {
    const handle = await file.open()
    try {
      const head = await readHead(handle, packing, signal)
      return head.damaged && head.bytes.length === 0 ? 'unreadable' : { file, packing, head }
    } finally {
      await handle.close()
    }
  } catch (error) {
    if (!isJobsError(error, 'permanent')) throw error
    return error.code === 'FILE_MISSING' ? 'gone' : 'unreadable'
  }
}

/** By the time of the first line, which no renaming or packing changes; by name where that says nothing. */
function byAge(a: RotatedFile, b: RotatedFile): number {
  return (firstSeconds(a.head.bytes) ?? 0) - (firstSeconds(b.head.bytes) ?? 0) || (a.file.path < b.file.path ? -1 : 1)
}
