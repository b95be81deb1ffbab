import { mkdir, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { cruise, type ICruiseOptions, type ICruiseResult, type IForbiddenRuleType } from 'dependency-cruiser'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from './support/temporary-folder.ts'
import { root } from './support/workspace.ts'

// A check that cannot fail is a defect: each rule is broken once, in a small workspace of the same shape as ours.

const config = createRequire(import.meta.url)(join(root, '.dependency-cruiser.cjs')) as {
  forbidden: IForbiddenRuleType[]
  options: ICruiseOptions & { enhancedResolveOptions: object }
}

type Files = Record<string, string>
type Case = { rules: string[]; files: Files }

const broken: Record<string, Case> = {
  'a cycle': {
    rules: ['no-circular'],
    files: { 'packages/jobs-kit/src/a.ts': "import './b.ts'", 'packages/jobs-kit/src/b.ts': "import './a.ts'" },
  },
  'a path past a door': {
    rules: ['no-unresolvable'],
    files: { 'packages/jobs-kit/src/a.ts': "import '@sidelinja/jobs-core/src/queue/claim.ts'" },
  },
  'a package nobody declared': {
    rules: ['no-undeclared-dependency'],
    files: { 'packages/handler-one/src/handler.ts': "import 'p-queue'" },
  },
  'a devDependency in what is packed': {
    rules: ['no-dev-dependency-in-source'],
    files: { 'packages/jobs-core/src/queue/claim.ts': "import 'zod'" },
  },
  'core imports a handler': {
    rules: ['core-imports-none-of-ours'],
    files: { 'packages/jobs-core/test/a.test.ts': "import '@sidelinja/handler-one'" },
  },
  'kit imports a handler': {
    rules: ['kit-imports-core-only'],
    files: { 'packages/jobs-kit/src/a.ts': "import type { One } from '@sidelinja/handler-one'" },
  },
  'a handler imports a handler': {
    rules: ['handlers-are-independent'],
    files: { 'packages/handler-one/src/handler.ts': "import '@sidelinja/handler-two/job'" },
  },
  'a handler imports the admin page': {
    rules: ['handlers-import-core-and-kit-only'],
    files: { 'packages/handler-one/src/handler.ts': "import '@sidelinja/jobs-admin'" },
  },
  'a package imports an app': {
    rules: ['packages-never-import-apps'],
    files: { 'packages/jobs-admin/src/lib/server/a.test.ts': "import '@sidelinja/worker'" },
  },
  'the admin page imports the worker': {
    rules: ['web-side-is-light'],
    files: { 'packages/jobs-admin/src/lib/server/index.ts': "import '@sidelinja/jobs-core/worker'" },
  },
  'the admin app imports a whole handler': {
    rules: ['web-side-is-light'],
    files: { 'apps/admin/src/hooks.server.ts': "import '@sidelinja/handler-one'" },
  },
  'an app reaches into another app': {
    rules: ['no-deep-imports', 'no-relative-import-of-another-package'],
    files: { 'apps/playground/src/main.ts': "import '../../worker/src/flags.ts'" },
  },
  'a repo-wide test reaches into a package': {
    rules: ['no-deep-imports-from-outside'],
    files: { 'tests/a.test.ts': "import '../apps/worker/src/flags.ts'" },
  },
  'a relative path to another package’s door': {
    rules: ['no-relative-import-of-another-package'],
    files: { 'packages/jobs-kit/src/a.ts': "import '../../jobs-core/src/index.ts'" },
  },
  'the main door reaches the worker': {
    rules: ['main-door-reaches-no-worker', 'job-door-reaches-no-handler', 'job-door-reaches-no-handler'],
    files: {
      'packages/jobs-core/src/index.ts': "import './queue/claim.ts'",
      'packages/jobs-core/src/queue/claim.ts': "import '../worker/index.ts'",
    },
  },
  'the main door reaches the driver': {
    rules: ['main-door-reaches-no-worker', 'job-door-reaches-no-handler', 'job-door-reaches-no-handler'],
    files: {
      'packages/jobs-core/src/index.ts': "import './queue/claim.ts'",
      'packages/jobs-core/src/queue/claim.ts': "import 'pg'",
    },
  },
  'a definition reaches the kit': {
    rules: ['job-door-reaches-no-handler'],
    files: {
      'packages/handler-one/src/job.ts': "import './payload.ts'",
      'packages/handler-one/src/payload.ts': "import '@sidelinja/jobs-kit'",
    },
  },
  'a view reaches a service': {
    rules: ['view-door-reaches-no-handler'],
    files: {
      'packages/handler-one/src/view.ts': "import './words.ts'",
      'packages/handler-one/src/words.ts': "import '@sidelinja/jobs-kit'",
    },
  },
  'a view reaches the handler': {
    rules: ['view-door-reaches-no-handler'],
    files: { 'packages/handler-one/src/view.ts': "import './handler.ts'", 'packages/handler-one/src/handler.ts': '' },
  },
  'a view reaches the worker': {
    rules: ['view-door-reaches-no-handler', 'view-door-reaches-no-handler'],
    files: {
      'packages/handler-one/src/view.ts': "import '@sidelinja/jobs-kit/view'",
      'packages/jobs-kit/src/view/index.ts': "import '@sidelinja/jobs-core/worker'",
    },
  },
  'a view runs a program': {
    rules: ['view-door-reaches-no-handler'],
    files: { 'packages/handler-one/src/view.ts': "import 'node:child_process'" },
  },
  'a statement in a handler': {
    rules: ['query-builder-in-its-folders'],
    files: { 'packages/handler-one/src/handler.ts': "import { sql } from 'kysely'" },
  },
  'a statement in the worker runtime': {
    rules: ['query-builder-in-its-folders'],
    files: { 'packages/jobs-core/src/worker/loop.ts': "import { sql, type Kysely } from 'kysely'" },
  },
  'a driver in the kit': {
    rules: ['driver-in-its-folders'],
    files: { 'packages/jobs-kit/src/a.ts': "import pg from 'pg'" },
  },
  'got outside the HTTP client': {
    rules: ['http-client-in-its-folder'],
    files: { 'packages/jobs-kit/src/gateway/a.ts': "import got from 'got'" },
  },
  'source imports a test': {
    rules: ['source-imports-no-tests'],
    files: { 'packages/jobs-kit/src/a.ts': "import './b.test.ts'", 'packages/jobs-kit/src/b.test.ts': '' },
  },
  'source imports a testing door': {
    rules: ['testing-doors-are-for-tests'],
    files: { 'packages/jobs-kit/src/a.ts': "import '@sidelinja/jobs-core/testing'" },
  },
}

const allowed: Files = {
  'packages/jobs-core/src/queue/claim.ts': "import { sql } from 'kysely'",
  'packages/jobs-core/src/worker/loop.ts': "import pg from 'pg'\nimport type { Kysely } from 'kysely'\nimport PQueue from 'p-queue'",
  'packages/jobs-core/test/claim.test.ts': "import 'zod'\nimport '@sidelinja/jobs-core/testing'",
  'packages/jobs-kit/src/storage/a.ts': "import { sql } from 'kysely'",
  'packages/jobs-kit/src/http/client.ts': "import got from 'got'",
  'packages/handler-one/src/handler.ts': "import type { Kysely } from 'kysely'\nimport '@sidelinja/jobs-kit/storage'\nimport './job.ts'",
  'packages/handler-one/test/handler.test.ts': "import { sql } from 'kysely'\nimport '@sidelinja/jobs-core/testing'",
  'apps/admin/src/hooks.server.ts':
    "import '@sidelinja/jobs-admin'\nimport '@sidelinja/jobs-core/admin'\nimport '@sidelinja/handler-one/job'\nimport '@sidelinja/handler-one/view'\nimport 'pg'",
  'packages/handler-one/src/view.ts': "import '@sidelinja/jobs-core/admin'\nimport '@sidelinja/jobs-kit/view'\nimport './job.ts'",
  'packages/jobs-kit/src/view/index.ts': "import '../storage/a.ts'\nimport 'zod'",
  'apps/playground/src/main.ts': "import '@sidelinja/jobs-core/testing'\nimport '@sidelinja/worker'\nimport 'kysely'",
  'tests/a.test.ts': "import '@sidelinja/jobs-core/testing'",
}

describe('import rules', () => {
  test('what the design allows breaks none', async () => {
    expect(await violations(allowed)).toEqual([])
  })

  test.each(Object.entries(broken))('%s', async (_name, { rules, files }) => {
    expect(await violations(files)).toEqual(rules.toSorted())
  })

  test('every rule has been seen to fire', () => {
    const fired = new Set(Object.values(broken).flatMap(({ rules }) => rules))
    expect(config.forbidden.map(({ name }) => name ?? 'unnamed').filter((name) => !fired.has(name))).toEqual([])
  })
})

/** The names of the broken rules in a workspace of our shape, with `files` on top. */
async function violations(files: Files): Promise<string[]> {
  const folder = await temporaryFolder({ ...workspace(), ...files })
  for (const [link, target] of Object.entries(links())) {
    await mkdir(dirname(join(folder, link)), { recursive: true })
    await symlink(join(folder, target), join(folder, link))
  }
  const { enhancedResolveOptions, ...options } = config.options
  const { output } = await cruise(
    ['packages', 'apps', 'tests'],
    { ...options, baseDir: folder, ruleSet: { forbidden: config.forbidden }, validate: true },
    enhancedResolveOptions,
  )
  const { violations: found } = (output as ICruiseResult).summary
  return found.map(({ rule }) => rule.name).toSorted()
}

/** Packages of ours with their doors, each an empty module. */
function workspace(): Files {
  const files: Files = {
    'tsconfig.base.json': '{}',
    'package.json': '{ "name": "root" }',
    'apps/worker/src/flags.ts': '',
    'tests/b.test.ts': '',
  }
  const add = (folder: string, doors: string[], manifest: object) => {
    const name = `@sidelinja/${folder.split('/')[1]}`
    const exports = Object.fromEntries(doors.map((door) => [doorPath(door), { '@sidelinja/source': `./src/${door}.ts` }]))
    files[`${folder}/package.json`] = JSON.stringify({ name, type: 'module', exports, ...manifest })
    for (const door of doors) files[`${folder}/src/${door}.ts`] = ''
  }
  const core = { '@sidelinja/jobs-core': '*' }
  add('packages/jobs-core', ['index', 'worker/index', 'admin/index', 'testing/index'], {
    dependencies: { 'p-queue': '*' },
    peerDependencies: { kysely: '*', pg: '*' },
    devDependencies: { kysely: '*', pg: '*', zod: '*' },
  })
  add('packages/jobs-kit', ['index', 'storage/index', 'testing/index', 'view/index'], {
    dependencies: { ...core, got: '*', zod: '*', kysely: '*', pg: '*' },
  })
  add('packages/jobs-admin', ['lib/page/index', 'lib/server/index'], { dependencies: core })
  for (const name of ['handler-one', 'handler-two']) {
    add(`packages/${name}`, ['index', 'job', 'view'], { dependencies: { ...core, zod: '*' }, peerDependencies: { kysely: '*' } })
    files[`packages/${name}/src/job.ts`] = "import '@sidelinja/jobs-core'\nimport 'zod'"
  }
  for (const name of ['worker', 'playground', 'admin']) {
    add(`apps/${name}`, ['index'], { dependencies: { ...core, kysely: '*', pg: '*' } })
  }
  for (const name of packages) {
    files[`${store}/${name}/package.json`] = JSON.stringify({ name, main: 'dist/index.js' })
    files[`${store}/${name}/dist/index.js`] = ''
  }
  return files
}

const packages = ['kysely', 'pg', 'got', 'zod', 'p-queue']
/** Laid out as pnpm does it, with built files in `dist`: neither may hide an import. */
const store = 'node_modules/.pnpm/store/node_modules'

function links(): Files {
  const ours = ['jobs-core', 'jobs-kit', 'jobs-admin', 'handler-one', 'handler-two'].map((name) => [
    `node_modules/@sidelinja/${name}`,
    `packages/${name}`,
  ])
  const theirs = packages.map((name) => [`node_modules/${name}`, `${store}/${name}`])
  return Object.fromEntries([...ours, ...theirs, ['node_modules/@sidelinja/worker', 'apps/worker']])
}

function doorPath(door: string): string {
  const path = door.replace(/(^|\/)index$/, '').replace(/^lib\/?(page$)?/, '')
  return path === '' ? '.' : `./${path}`
}
