import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { root } from '../support/workspace.ts'
import { copyWorkspace, type WorkspaceCopy } from '../support/workspace-copy.ts'

// A recipe that nobody cooks goes off. This makes the example of docs/add-a-handler.md in a copy of the repository, with the generator and
// then block by block as a reader would, and puts it through the checks of the repository; also where a reader has made it in the
// repository itself.

const packageFolder = 'packages/handler-file-checksum'
let copy: WorkspaceCopy

beforeAll(async () => {
  copy = await copyWorkspace(inject('server').connectionString)
  expect(await copy.newHandler(['file_checksum'])).toMatchObject({ code: 0, stderr: '' })
  await followRecipe()
})
afterAll(() => copy.remove())

test('the example type-checks', async () => {
  expect(await copy.attempt('typescript/bin/tsc', ['-p', join(packageFolder, 'tsconfig.json')])).toBe('')
})

test('the example has the shape of every handler package', async () => {
  const { failed, passed } = await copy.runTests(['tests/handler-packages.test.ts'])
  expect(failed).toEqual([])
  expect(passed).toBeGreaterThan(15)
})

test('the example passes the conformance suite', async () => {
  const { failed, passed } = await copy.runTests([packageFolder])
  expect(failed).toEqual([])
  expect(passed).toBeGreaterThan(10)
})

/** What "New file", "New text of" and "New line in `path`…:" stand before: a file to make, one that is made already, a line to add. */
async function followRecipe(): Promise<void> {
  const page = await readFile(join(root, 'docs/add-a-handler.md'), 'utf8')
  const blocks = [...page.matchAll(/^New (file|text of|line in) `(\S+)`.*:\n\n```\w+\n([\s\S]*?)^```$/gm)]
  expect(blocks.map(([, kind]) => kind).filter((kind) => kind === 'line in')).toHaveLength(1)
  expect(blocks.length).toBeGreaterThan(6)
  for (const [, kind, path = '', text = ''] of blocks) {
    if (kind === 'line in') await addLine(path, text)
    else if (kind === 'text of') await replaceFile(path, text)
    else await makeFile(path, text)
  }
}

/** What the page takes for made is made. */
async function replaceFile(path: string, text: string): Promise<void> {
  expect(await readFile(join(copy.folder, path), 'utf8')).not.toBe('')
  await writeFile(join(copy.folder, path), text)
}

/** Makes a file, with the next free number for `NNNN`: that of a reader who has made it already is free. */
async function makeFile(path: string, text: string): Promise<void> {
  const folder = join(copy.folder, dirname(path))
  await mkdir(folder, { recursive: true })
  const name = basename(path).replace('NNNN', '')
  for (const file of await readdir(folder)) if (/^\d{4}_/.test(file) && file.endsWith(name)) await rm(join(folder, file))
  const last = Math.max(0, ...(await readdir(folder)).map((file) => Number(/^\d{4}/.exec(file)?.[0] ?? 0)))
  await writeFile(join(folder, basename(path).replace('NNNN', String(last + 1).padStart(4, '0'))), text)
}

async function addLine(path: string, line: string): Promise<void> {
  const before = await readFile(join(copy.folder, path), 'utf8')
  if (!before.includes(line)) await writeFile(join(copy.folder, path), before + line)
}
