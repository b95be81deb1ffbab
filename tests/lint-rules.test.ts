import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from './support/temporary-folder.ts'
import { readText, root } from './support/workspace.ts'

// biome's recommended rules are biome's business; these are the ones we chose, and each is seen to fire where it should and only there.

const environment = 'export const url = process.env.DATABASE_URL\n'
const log = 'console.log(1)\n'
const files: Record<string, { content: string; rules: string[] }> = {
  'packages/jobs-core/src/environment.ts': { content: environment, rules: ['style/noProcessEnv'] },
  'packages/jobs-core/test/environment.test.ts': { content: environment, rules: ['style/noProcessEnv'] },
  'packages/jobs-core/src/imported-environment.ts': {
    content: "import { env } from 'node:process'\n\nexport const url = env.DATABASE_URL\n",
    rules: ['style/noProcessEnv'],
  },
  'apps/worker/src/environment.ts': { content: environment, rules: [] },
  'tests/setup/environment.ts': { content: environment, rules: [] },
  'tests/environment.test.ts': { content: environment, rules: ['style/noProcessEnv'] },
  'packages/jobs-core/src/log.ts': { content: log, rules: ['suspicious/noConsole'] },
  'scripts/log.ts': { content: log, rules: [] },
  'packages/jobs-core/src/everything.ts': { content: "export * from './log.ts'\n", rules: ['performance/noReExportAll'] },
  'packages/jobs-core/src/any.ts': { content: 'export type Anything = any\n', rules: ['suspicious/noExplicitAny'] },
  'packages/jobs-core/src/many-parameters.ts': {
    content: 'export const add = (a: number, b: number, c: number, d: number, e: number) => a + b + c + d + e\n',
    rules: ['complexity/useMaxParams'],
  },
  // A table of cases has as many columns as it needs.
  'packages/jobs-core/test/table.test.ts': {
    content: 'export const add = (a: 1, b: 1, c: 1, d: 1, e: 1) => a + b + c + d + e\n',
    rules: [],
  },
  'packages/jobs-core/src/WrongName.ts': { content: 'export const a = 1\n', rules: ['style/useFilenamingConvention'] },
  'packages/jobs-core/src/builtin.ts': {
    content: "import { join } from 'path'\n\nexport const a = join('a')\n",
    rules: ['style/useNodejsImportProtocol'],
  },
  'apps/worker/src/statement.ts': {
    content: "import { sql } from 'kysely'\n\nexport const a = sql\n",
    rules: ['style/noRestrictedImports'],
  },
  'apps/worker/src/connection.ts': { content: "import { Kysely } from 'kysely'\n\nexport const a = Kysely\n", rules: [] },
  'packages/jobs-core/src/one.test.ts': {
    content: "import { test } from 'vitest'\n\ntest.only('a', () => {})\ntest.skip('b', () => {})\n",
    rules: ['suspicious/noFocusedTests', 'suspicious/noSkippedTests'],
  },
}

test('our lint rules fire where they should, and only there', async () => {
  const contents = Object.fromEntries(Object.entries(files).map(([file, { content }]) => [file, content]))
  const folder = await temporaryFolder({ 'biome.json': readText('biome.json'), ...contents })
  const { stdout } = spawnSync(
    join(root, 'node_modules/.bin/biome'),
    ['lint', '--vcs-enabled=false', '--reporter=json', '--max-diagnostics=none', '.'],
    { cwd: folder, encoding: 'utf8' },
  )
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: { category: string; location: { path: string } }[] }
  const found = Object.fromEntries(Object.keys(files).map((file) => [file, new Set<string>()]))
  for (const { category, location } of diagnostics) found[location.path]?.add(category.replace('lint/', ''))

  expect(Object.fromEntries(Object.entries(found).map(([file, rules]) => [file, [...rules].toSorted()]))).toEqual(
    Object.fromEntries(Object.entries(files).map(([file, { rules }]) => [file, rules])),
  )
})
