import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** As `sha256sum` writes it, so that `sha256sum --check migrations/checksums.txt` reads it. */
const LIST = 'migrations/checksums.txt'

/**
 * Compares the migrations with the list of what they were when they were added.
 *
 * @param {string} root
 * @returns {{ added: string[], changed: string[], gone: string[] }} paths from the root; added: those without a line.
 */
export function compareMigrations(root) {
  const listed = new Map(readList(root))
  const found = new Map(migrationFiles(root).map((file) => [file, checksum(join(root, file))]))
  return {
    added: [...found.keys()].filter((file) => !listed.has(file)),
    changed: [...found.keys()].filter((file) => listed.has(file) && listed.get(file) !== found.get(file)),
    gone: [...listed.keys()].filter((file) => !found.has(file)),
  }
}

/** Puts new migrations into the list; the lines that are there stay as they are. */
export function listNewMigrations(root) {
  const { added } = compareMigrations(root)
  const entries = [...readList(root), ...added.map((file) => [file, checksum(join(root, file))])]
  const lines = entries.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([file, sum]) => `${sum}  ${file}\n`)
  writeFileSync(join(root, LIST), lines.join(''))
  return added
}

function readList(root) {
  if (!existsSync(join(root, LIST))) return []
  const lines = readFileSync(join(root, LIST), 'utf8').split('\n')
  return lines.filter((line) => line !== '').map((line) => [line.slice(66), line.slice(0, 64)])
}

function migrationFiles(root) {
  const files = readdirSync(join(root, 'migrations'), { recursive: true }).filter((file) => file.endsWith('.sql'))
  return files.map((file) => `migrations/${file.replaceAll('\\', '/')}`).toSorted()
}

function checksum(file) {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}
