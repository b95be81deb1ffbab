import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { digestInputs } from './digest-inputs.mjs'

let root: string
let folder: string

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'digest-'))
  folder = join(root, 'apps/admin')
  for (const file of ['build.mjs', 'tsconfig.json', 'vite.config.ts', 'src/a.ts', 'src/lib/b.ts', 'src/lib/b.test.ts'])
    write(`apps/admin/${file}`)
  for (const file of ['tsconfig.base.json', 'pnpm-lock.yaml', 'packages/used/src/c.ts', 'packages/unused/src/d.ts']) write(file)
  write('apps/admin/package.json', '{ "dependencies": { "@sidelinja/used": "workspace:^", "zod": "*" } }')
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

test('is another where something that is built is another, and only there', () => {
  const first = digestInputs(folder)
  utimesSync(join(folder, 'src/a.ts'), 1, 1)
  write('apps/admin/src/lib/b.test.ts', 'another')
  write('packages/unused/src/d.ts', 'another')
  expect(digestInputs(folder)).toBe(first)

  const seen = new Set([first])
  for (const file of [
    'apps/admin/src/lib/b.ts',
    'apps/admin/vite.config.ts',
    'packages/used/src/c.ts',
    'pnpm-lock.yaml',
    'apps/admin/src/new.ts',
  ]) {
    write(file, 'another')
    seen.add(digestInputs(folder))
  }
  rmSync(join(folder, 'src/a.ts'))
  seen.add(digestInputs(folder))
  expect(seen.size).toBe(7)
})

function write(file: string, content = file): void {
  mkdirSync(dirname(join(root, file)), { recursive: true })
  writeFileSync(join(root, file), content)
}
