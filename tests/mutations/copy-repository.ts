import { execFile } from 'node:child_process'
import { cp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Copies what is, or would be, committed, and installs the lockfile's packages there: links inside lead to the copy. */
export async function copyRepository(root: string, folder: string, signal: AbortSignal): Promise<void> {
  const list = await run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root, signal, maxBuffer: 2 ** 26 })
  for (const file of list.stdout.split('\0').filter((name) => name !== '')) {
    // What was deleted and not yet committed is not there.
    await cp(join(root, file), join(folder, file)).catch((error) => {
      if (error.code !== 'ENOENT') throw error
    })
  }
  const { packageManager } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { packageManager: string }
  await run('npx', ['-y', packageManager, 'install', '--frozen-lockfile', '--prefer-offline'], { cwd: folder, signal, maxBuffer: 2 ** 26 })
}
