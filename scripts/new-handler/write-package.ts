import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Names, spell } from './names.ts'
import { howToUndo } from './next-steps.ts'
import { identifiersOf, readTemplates } from './read-templates.ts'
import { Refusal } from './refusal.ts'

interface Manifest {
  name: string
  version: string
  description: string
  exports: Record<string, unknown>
  publishConfig: { exports: Record<string, unknown> }
  devDependencies: Record<string, string>
}

const descriptions = {
  plain: 'counts the bytes of a media file.',
  ai: 'a transcript becomes its most important points, each with a quote.',
}

/**
 * Writes the package of a job type into the repository at `root`: its files, its line in the root's package.json, its changeset.
 * @returns what was written, by paths from the root
 * @throws Refusal before anything is written, when the name is bad or taken
 */
export function writePackage(root: string, type: string, { ai }: { ai: boolean }): { names: Names; files: string[] } {
  const kind = ai ? 'ai' : 'plain'
  const templates = readTemplates(kind)
  const names = spell(type, identifiersOf(templates))
  const changeset = `.changeset/handler-${names.kebab}.md`
  for (const path of [names.folder, changeset]) {
    if (existsSync(join(root, path)))
      throw new Refusal(`${path} is there already: choose another job type, or take that one away first: ${howToUndo(names)}.`)
  }
  const description = `Job type ${type}: ${descriptions[kind]}`
  const files = new Map(templates.map(({ path, text }) => [`${names.folder}/${path}`, fill(text, names)]))
  for (const [path, text] of sameAsEveryHandler(root, names, description)) files.set(path, text)
  files.set(changeset, `---\n'${names.package}': minor\n---\n\nNew job type \`${type}\`: ${descriptions[kind]}\n`)
  files.set('package.json', withDependency(root, names))
  for (const [path, text] of files) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return { names, files: [...files.keys()].toSorted() }
}

function fill(text: string, { type, kebab, camel }: Names): string {
  return text.replace(/my_type|my-type|myType/g, (name) => ({ my_type: type, 'my-type': kebab })[name] ?? camel)
}

/** Taken from a handler that is there: a test compares them. */
function sameAsEveryHandler(root: string, names: Names, description: string): [string, string][] {
  const [first] = readdirSync(join(root, 'packages'))
    .filter((name) => name.startsWith('handler-') && existsSync(join(root, 'packages', name, 'package.json')))
    .toSorted()
  const model = `packages/${first}`
  const manifest = { ...withoutView(readManifest(root, `${model}/package.json`)), name: names.package, version: '0.0.0', description }
  const read = (file: string) => readFileSync(join(root, model, file), 'utf8')
  return [
    [`${names.folder}/package.json`, print(manifest)],
    [`${names.folder}/tsconfig.json`, read('tsconfig.json')],
    [`${names.folder}/tsup.config.ts`, read('tsup.config.ts').replace(", 'src/view.ts'", '')],
  ]
}

/** How a result is drawn is for later: a door that not every handler has. */
function withoutView(manifest: Manifest): Manifest {
  const { './view': _source, ...exports } = manifest.exports
  const { './view': _published, ...published } = manifest.publishConfig.exports
  return { ...manifest, exports, publishConfig: { ...manifest.publishConfig, exports: published } }
}

function withDependency(root: string, names: Names): string {
  const manifest = readManifest(root, 'package.json')
  const devDependencies = { ...manifest.devDependencies, [names.package]: 'workspace:*' }
  const sorted = Object.entries(devDependencies).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return print({ ...manifest, devDependencies: Object.fromEntries(sorted) })
}

function readManifest(root: string, path: string): Manifest {
  return JSON.parse(readFileSync(join(root, path), 'utf8')) as Manifest
}

function print(manifest: Manifest): string {
  return `${JSON.stringify(manifest, null, 2)}\n`
}
