import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ConfigurationError } from '../../errors/configuration-error.ts'
import { explainFailure, outputOf } from './explain-failure.ts'
import { claimFolder, removeAbandoned } from './owner.ts'

const PREFIX = 'sidelinja-pg-'
/** What the kernel takes as a socket's path, without the closing zero byte (macOS: 103). */
const LONGEST_PATH = process.platform === 'linux' ? 107 : 103

/**
 * A new folder only this user may enter, in the system's folder for temporary files: there the socket's path stays short wherever
 * the project lies. Also removes those of processes that were killed.
 */
export async function makeSocketFolder(port: number, parents: readonly string[] = [tmpdir(), '/tmp']): Promise<string> {
  const parent = parents.find((folder) => Buffer.byteLength(join(folder, `${PREFIX}XXXXXX`, `.s.PGSQL.${port}`)) <= LONGEST_PATH)
  if (parent === undefined) {
    throw new ConfigurationError(
      'SOCKET_PATH_TOO_LONG',
      `A unix socket in ${parents[0]} would have a path longer than the ${LONGEST_PATH} bytes the system allows. Set TMPDIR to a shorter folder.`,
    )
  }
  try {
    await removeAbandoned(parent, PREFIX)
    const folder = await mkdtemp(join(parent, PREFIX))
    await claimFolder(folder)
    return folder
  } catch (error) {
    throw explainFailure(outputOf(error), { dataFolder: parent, cause: error })
  }
}
