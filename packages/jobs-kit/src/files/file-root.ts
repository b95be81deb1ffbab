import type { FileHandle } from 'node:fs/promises'
import { access, constants, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { ConfigurationError } from '@sidelinja/jobs-core'
import { listBelow } from './list-below.ts'
import { openBelow } from './open-below.ts'
import { errorCode } from './opening-failed.ts'
import { checkRelativePath } from './relative-path.ts'

/** A file below a root: named, its text checked, not opened yet. What reads it gets a handle, never a path that could be swapped. */
export interface RootedFile {
  /** Relative to the root, with `/`, exactly as it was given. */
  readonly path: string
  /** Opens the file; see {@link FileRoot.open}. */
  open(): Promise<FileHandle>
}

/** A folder from which jobs may read: media or logs. A path in a payload can name nothing outside of it. */
export interface FileRoot {
  /** The name an operator knows it by: MEDIA_ROOT, LOG_ROOT. */
  readonly name: string
  /**
   * Names a file without opening it; no disk is touched.
   * @throws PermanentError when the path is not a plain relative one (`show/episode.mp3`): `FILE_PATH_INVALID`, `FILE_PATH_ABSOLUTE`,
   * `FILE_PATH_TRAVERSAL`, `FILE_PATH_BACKSLASH`.
   */
  resolve(relativePath: string): RootedFile
  /**
   * Opens a regular file for reading. Close the handle when done; hand it on (or its descriptor, to a program), not the path.
   * @throws PermanentError as `resolve`, and `FILE_MISSING`, `FILE_SYMLINK`, `FILE_OUTSIDE_ROOT`, `FILE_NOT_REGULAR`,
   * `FILE_HARD_LINKED` (more than one name), `FILE_UNREADABLE`.
   * @throws TransientError `FILE_ROOT_GONE`, `FILE_READ_FAILED`.
   */
  open(relativePath: string): Promise<FileHandle>
  /**
   * The regular files of a folder, by name; not what lies in folders below it, and no links. Each can still be gone, or refused, when
   * it is opened.
   * @param relativeFolder '' is the root itself.
   * @throws PermanentError as `resolve`, and `FILE_MISSING`, `FILE_SYMLINK`, `FILE_UNREADABLE`, `FOLDER_TOO_LARGE` (10,000 entries).
   * @throws TransientError `FILE_ROOT_GONE`, `FILE_READ_FAILED`.
   */
  list(relativeFolder: string): Promise<RootedFile[]>
  /**
   * For start-up: the root is a folder and may be read.
   * @throws ConfigurationError `FILE_ROOT_MISSING`.
   */
  checkRoot(): Promise<void>
}

/** Which folder a file root is. */
export interface FileRootOptions {
  /** The folder; a relative one is taken from the current folder. It may itself be a link. */
  root: string
  /** The name an operator knows it by, for messages: the environment variable. */
  name: string
}

/** Makes a file root. Nothing is read before it is used. */
export function createFileRoot({ root, name }: FileRootOptions): FileRoot {
  const folder = resolve(root)
  const open = async (path: string) => {
    checkRelativePath(name, path)
    return await openBelow({ name, root: folder, path })
  }
  const rooted = (path: string): RootedFile => Object.freeze({ path, open: () => open(path) })
  return Object.freeze({
    name,
    resolve(path: string) {
      checkRelativePath(name, path)
      return rooted(path)
    },
    open,
    async list(path: string) {
      if (path !== '') checkRelativePath(name, path)
      const names = await listBelow({ name, root: folder, path })
      return names.map((file) => rooted(path === '' ? file : `${path}/${file}`))
    },
    checkRoot: () => checkRoot(name, folder),
  })
}

async function checkRoot(name: string, folder: string): Promise<void> {
  let problem: string
  try {
    if ((await stat(folder)).isDirectory()) return await access(folder, constants.R_OK | constants.X_OK)
    problem = 'it is not a folder'
  } catch (error) {
    problem = errorCode(error) === 'ENOENT' ? 'there is no such folder' : `it cannot be read (${errorCode(error)})`
  }
  throw new ConfigurationError(
    'FILE_ROOT_MISSING',
    `${name} is ${JSON.stringify(folder)}: ${problem}. Set ${name} to a folder this process may read.`,
  )
}
