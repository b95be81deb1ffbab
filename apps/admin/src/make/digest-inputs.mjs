import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Beside the sources of the application and of our packages that go into it. */
const FILES = ['build.mjs', 'package.json', 'tsconfig.json', 'vite.config.ts', '../../tsconfig.base.json', '../../pnpm-lock.yaml']
const OURS = '@sidelinja/'
const TEST = /\.test\.ts$/

/**
 * A digest of everything that the build reads: names and contents, not times, which a clone or a switch of branches changes.
 *
 * @param {string} folder of the application
 */
export function digestInputs(folder) {
  const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const packages = Object.keys(dependencies).filter((name) => name.startsWith(OURS))
  const sources = ['src', ...packages.map((name) => `../../packages/${name.slice(OURS.length)}/src`)]
  const hash = createHash('sha256')
  for (const file of [...FILES, ...sources.flatMap((source) => filesIn(folder, source))]) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(folder, file)))
      .update('\0')
  }
  return hash.digest('hex')
}

/**
 * @param {string} folder
 * @param {string} source
 */
function filesIn(folder, source) {
  return readdirSync(join(folder, source), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !TEST.test(entry.name))
    .map((entry) => join(source, entry.parentPath.slice(join(folder, source).length), entry.name))
    .sort()
}
