// A changed package needs a changeset, and every changeset must name packages that exist. On main itself nothing has changed.
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const root = join(import.meta.dirname, '..')
// A clone of one branch or of a pull request has no local main; without any main at all only the changesets themselves are read.
const base =
  ['main', 'origin/main', 'HEAD'].find((ref) => git(['rev-parse', '--verify', '--quiet', `${ref}^{commit}`]).status === 0) ?? 'HEAD'
process.exitCode = withNewFiles((env) => {
  const options = { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } } as const
  return spawnSync(join(root, 'node_modules/.bin/changeset'), ['status', `--since=${base}`], options).status ?? 1
})

/** changesets asks git, which leaves out files that nobody has added yet. Here they are, in a copy of its index. */
function withNewFiles<T>(use: (env: Record<string, string>) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'sidelinja-changesets-'))
  try {
    const env = { GIT_INDEX_FILE: join(folder, 'index') }
    copyFileSync(resolve(root, git(['rev-parse', '--git-path', 'index']).stdout.trim()), env.GIT_INDEX_FILE)
    git(['add', '--intent-to-add', '.'], env)
    return use(env)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function git(options: string[], env: Record<string, string> = {}) {
  return spawnSync('git', options, { cwd: root, encoding: 'utf8', env: { ...process.env, ...env } })
}
