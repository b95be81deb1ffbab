import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { nodesOf, parse } from './support/syntax.ts'
import { isTestFile, readText, repositoryFiles } from './support/workspace.ts'

const maxFileLines = 250
const maxFunctionLines = 70
const reason = /Longer than 250 lines because \S.{20,}/

const code = repositoryFiles().filter((file) => /\.(ts|js|mjs|cjs|svelte)$/.test(file) && !/\.d\.ts$|(^|\/)fixtures\//.test(file))
const source = code.filter((file) => !isTestFile(file) && !/^tests\/|\/test\//.test(file))
const fileSizes = source.map((file) => lines(readText(file)))
const functionSizes = source.flatMap((file) => functionsIn(readText(file), file))

describe('sizes', () => {
  test(`no file is longer than ${maxFileLines} lines without saying why`, () => {
    const long = code.filter((file) => lines(readText(file)) > maxFileLines)
    expect(long.filter((file) => !reason.test(readText(file)))).toEqual([])
  })

  test(`no function is longer than ${maxFunctionLines} lines`, () => {
    expect(functionSizes.filter(({ size }) => size > maxFunctionLines)).toEqual([])
  })

  test('the middle of the code is small', () => {
    const functions = functionSizes.map(({ size }) => size)
    const figures = {
      'lines per file, median': quantile(fileSizes, 0.5),
      'lines per function, median': quantile(functions, 0.5),
      'lines per function, p90': quantile(functions, 0.9),
    }
    console.log(`${fileSizes.length} files, ${functions.length} functions: ${JSON.stringify(figures)}`)
    expect(figures['lines per file, median']).toBeLessThanOrEqual(80)
    expect(figures['lines per function, median']).toBeLessThanOrEqual(8)
    expect(figures['lines per function, p90']).toBeLessThanOrEqual(25)
  })

  test('files and functions are measured as they are written', () => {
    expect(lines('a\nb\n')).toBe(2)
    expect(functionsIn('/** A comment. */\nfunction f() {\n  return () => 1\n}\n', 'a.ts').map(({ size }) => size)).toEqual([3, 1])
    expect(quantile([5, 1, 3], 0.5)).toBe(3)
    expect(reason.test('// Longer than 250 lines because the state machine reads best in one place.')).toBe(true)
    expect(reason.test('// Longer than 250 lines because.')).toBe(false)
  })
})

function lines(text: string): number {
  return text.trimEnd().split('\n').length
}

function functionsIn(text: string, file: string): { where: string; size: number }[] {
  const script = file.endsWith('.svelte') ? (/<script[^>]*>([\s\S]*?)<\/script>/.exec(text)?.[1] ?? '') : text
  const tree = parse(script, file.replace(/\.svelte$/, '.ts'))
  const line = (position: number) => tree.getLineAndCharacterOfPosition(position).line + 1
  const functions = nodesOf(tree).filter((node) => ts.isFunctionLike(node) && 'body' in node && node.body)
  return functions.map((node) => ({ where: `${file}:${line(node.getStart())}`, size: line(node.end) - line(node.getStart()) + 1 }))
}

function quantile(values: number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? 0
}
