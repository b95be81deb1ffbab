import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The repository's root folder. */
export const root = join(import.meta.dirname, '../..')

/** What these tests read of a package.json. */
export interface Manifest {
  name: string
  private?: boolean
  scripts?: Record<string, string>
  exports?: Record<string, Record<string, string>>
  dependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  [field: string]: unknown
}

export interface WorkspacePackage {
  /** Relative to the root, with forward slashes: `packages/jobs-core`. */
  folder: string
  manifest: Manifest
}

/** Every package and app of the workspace, in alphabetical order. */
export function workspacePackages(): WorkspacePackage[] {
  return ['packages', 'apps', 'apps/worker/builds'].flatMap((parent) =>
    foldersIn(parent)
      .map((name) => `${parent}/${name}`)
      .filter((folder) => existsSync(join(root, folder, 'package.json')))
      .map((folder) => ({ folder, manifest: readJson<Manifest>(`${folder}/package.json`) })),
  )
}

/** The source file behind each door of a package: `{ './worker': 'packages/jobs-core/src/worker/index.ts' }`. */
export function doorsOf({ folder, manifest }: WorkspacePackage): Record<string, string> {
  const doors = Object.entries(manifest.exports ?? {}).flatMap(([door, targets]) => {
    const source = targets['@sidelinja/source']
    return source ? [[door, join(folder, source)] as const] : []
  })
  return Object.fromEntries(doors)
}

/** Files that are, or would be, committed, in alphabetical order: tracked and new ones, without what .gitignore names. */
export function repositoryFiles(): string[] {
  const list = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  const files = list.split('\0').filter((file) => file !== '' && existsSync(join(root, file)))
  return files.toSorted()
}

/** Our own TypeScript, without tests and fixtures. */
export function sourceFiles(): string[] {
  return repositoryFiles().filter((file) => /^(packages|apps)\/.+\/src\/.+\.ts$/.test(file) && !isTestFile(file))
}

export function isTestFile(file: string): boolean {
  return file.endsWith('.test.ts')
}

export function readText(file: string): string {
  return readFileSync(join(root, file), 'utf8')
}

/** A file of JSON, by its path from the root. */
export function readJson<T>(file: string): T {
  return JSON.parse(readText(file)) as T
}

function foldersIn(parent: string): string[] {
  if (!existsSync(join(root, parent))) return []
  return readdirSync(join(root, parent), { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))
}
