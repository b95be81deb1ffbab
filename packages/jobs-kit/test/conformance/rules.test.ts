import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { handlerChecks } from '../../src/testing/index.ts'

test('the rules', () => {
  expect(handlerChecks.map(({ name }) => name)).toMatchInlineSnapshot(`
    [
      "is defined as its package says",
      "refuses a bad payload before it runs",
      "completes, with a result that can be stored",
      "does not begin when its signal is aborted already",
      "gives up soon when its signal is aborted while it runs",
      "writes nothing unless the job completes",
      "writes rows of its own collection only",
      "leaves other collections' rows as they are",
      "leaves no doubles when it runs again",
      "completes on its first attempt in a worker",
    ]
  `)
})

test('every rule is broken by some handler of these tests', async () => {
  const files = (await readdir(import.meta.dirname)).filter((file) => file.endsWith('.test.ts'))
  const texts = await Promise.all(files.map((file) => readFile(join(import.meta.dirname, file), 'utf8')))
  const broken = texts.flatMap((text) => [...text.matchAll(/const rule = (['"])(.+)\1/g)].map(([, , rule]) => rule))
  expect(broken.sort()).toEqual(handlerChecks.map(({ name }) => name).sort())
})
