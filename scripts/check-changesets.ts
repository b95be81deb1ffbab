// A changed package needs a changeset, and every changeset must name packages that exist. On main itself nothing has changed.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
// A clone of one branch or of a pull request has no local main; without any main at all only the changesets themselves are read.
const base = ['main', 'origin/main', 'HEAD'].find((ref) => git('rev-parse', '--verify', '--quiet', `${ref}^{commit}`) === 0) ?? 'HEAD'
const { status } = spawnSync(join(root, 'node_modules/.bin/changeset'), ['status', `--since=${base}`], { cwd: root, stdio: 'inherit' })
process.exitCode = status ?? 1

function git(...options: string[]): number | null {
  return spawnSync('git', options, { cwd: root, stdio: 'ignore' }).status
}
