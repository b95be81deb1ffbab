import { matchesGlob } from 'node:path'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import config from '../vitest.config.ts'
import { nodesOf, parse } from './support/syntax.ts'
import { isTestFile, readText, repositoryFiles } from './support/workspace.ts'

type Project = { name: string; include: string[]; exclude?: string[] }

const projects = ((config as { test: { projects: { test: Project }[] } }).test.projects ?? []).map((project) => project.test)
/** Those of examples run under the runner they show: tests/testing-examples.test.ts. */
const elsewhere = ['tests/fixtures/', 'examples/testing/']
const testFiles = repositoryFiles().filter((file) => isTestFile(file) && !elsewhere.some((folder) => file.startsWith(folder)))

describe('test files', () => {
  test('each runs in exactly one project', () => {
    const homes = testFiles.map((file) => ({ file, projects: projectsOf(file) }))
    expect(homes.filter(({ projects }) => projects.length !== 1)).toEqual([])
  })

  test('a file outside every project is noticed', () => {
    expect(projectsOf('packages/jobs-core/tests/lost.test.ts')).toEqual([])
    expect(projectsOf('packages/jobs-core/src/queue/claim.test.ts')).toEqual(['unit'])
    expect(projectsOf('packages/jobs-core/test/queue/claim.test.ts')).toEqual(['database'])
    expect(projectsOf('packages/jobs-core/test/claim.test.ts')).toEqual(['database-apart'])
    expect(projectsOf('tests/test-files.test.ts')).toEqual(['repo'])
    expect(projectsOf('tests/journeys/start.test.ts')).toEqual(['journeys'])
  })

  test('no test lies under a name that no project looks for', () => {
    expect(repositoryFiles().filter((file) => /\.spec\.\w+$|\.test\.(?!ts$)\w+$|__tests__/.test(file))).toEqual([])
  })

  test('none is focused, skipped or postponed', () => {
    const set = testFiles.flatMap((file) => skipped(readText(file)).map((call) => `${file}: ${call}`))
    expect(set).toEqual([])
  })

  test('a skipped test is noticed; one that a missing program forbids may say so', () => {
    expect(skipped("test.only('a')")).toEqual(['test.only'])
    expect(skipped("describe.each([1]).skip('a')")).toEqual(['describe.each([1]).skip'])
    expect(skipped("describe.skip.each([1])('a')")).toEqual(['describe.skip'])
    expect(skipped("xit('a')")).toEqual(['xit'])
    expect(skipped("test.skipIf(missing('ffmpeg'))('a')")).toEqual([])
  })
})

function projectsOf(file: string): string[] {
  const fits = (patterns: readonly string[]) => patterns.some((pattern) => matchesGlob(file, pattern))
  return projects.filter(({ include, exclude = [] }) => fits(include) && !fits(exclude)).map(({ name }) => name)
}

/** Calls that take a test out of the run. `skipIf` stays: what needs a program the machine lacks is reported as not run. */
function skipped(source: string): string[] {
  const nodes = nodesOf(parse(source))
  const members = nodes.filter(ts.isPropertyAccessExpression).filter((node) => /^(test|it|describe|suite)\b/.test(node.getText()))
  const set = members.filter((node) => ['only', 'skip', 'todo', 'fails'].includes(node.name.text))
  const calls = nodes.filter(ts.isCallExpression).filter((node) => /^[xf](test|it|describe)$/.test(node.expression.getText()))
  return [...set.map((node) => node.getText()), ...calls.map((node) => node.expression.getText())]
}
