import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { nodesOf, parse } from './support/syntax.ts'
import { readText, sourceFiles } from './support/workspace.ts'

type Use = { code: string; class: string }
type Row = { code: string; classes: string[]; meaning: string; solution: string }

const page = documented(readText('docs/errors.md'))
const uses = unique(sourceFiles().flatMap((file) => thrown(readText(file))))

describe('docs/errors.md', () => {
  test('names every code that the source throws, with its class', () => {
    expect(uses.filter((use) => !page.some((row) => row.code === use.code && row.classes.includes(use.class)))).toEqual([])
  })

  test('names none that the source does not throw', () => {
    const stale = ({ code, classes }: Row) => classes.filter((name) => !uses.some((use) => use.code === code && use.class === name))
    expect(page.filter((row) => stale(row).length > 0)).toEqual([])
  })

  test('says for each what it means and how to solve it, once, in alphabetical order', () => {
    expect(page.filter((row) => row.meaning.length < 15 || row.solution.length < 15)).toEqual([])
    expect(page.map(({ code }) => code)).toEqual([...new Set(page.map(({ code }) => code))].toSorted())
  })

  test('codes are written out where they are thrown, so that they can be found', () => {
    const classes = sourceFiles().flatMap((file) => classesTakingCodes(readText(file)))
    expect(classes).toContain('PermanentError')
    expect(sourceFiles().flatMap((file) => hidden(readText(file), classes).map((call) => `${file}: ${call}`))).toEqual([])
  })

  test('source and page are read as they are written', () => {
    expect(thrown("throw new PermanentError('LOG_MISSING', message)")).toEqual([{ code: 'LOG_MISSING', class: 'PermanentError' }])
    expect(thrown("return new QueueError(\n  'JOB_LOST',\n  'gone')")).toEqual([{ code: 'JOB_LOST', class: 'QueueError' }])
    expect(thrown("new JobsError('queue', 'LATE', 'x')")).toEqual([{ code: 'LATE', class: 'JobsError' }])
    expect(thrown("new Error('Nothing')")).toEqual([])
    const late = "class LateError extends JobsError { constructor() { super('queue', 'LATE', 'x') } }"
    expect(thrown(late)).toEqual([{ code: 'LATE', class: 'LateError' }])
    expect(classesTakingCodes(`${late}\nclass LostError extends QueueError {}`)).toEqual(['LostError'])
    expect(hidden('new LostError(code, message)', ['LostError'])).toEqual(['new LostError(code, message)'])
    expect(documented('| `A_B` | `QueueError`, `LateError` | what it means | what to do |')).toEqual([
      { code: 'A_B', classes: ['QueueError', 'LateError'], meaning: 'what it means', solution: 'what to do' },
    ])
  })
})

/** The codes a source makes: `new XError('CODE', …)`, and classes that give `super` a code of their own. */
function thrown(source: string): Use[] {
  const nodes = nodesOf(parse(source))
  const made = newErrors(nodes).map((node) => ({ code: codeOf(node.arguments?.[codeAt(node)]), class: node.expression.getText() }))
  const fixed = errorClasses(nodes).map((node) => ({ code: fixedCode(node), class: node.name?.text ?? '' }))
  return [...made, ...fixed].flatMap(({ code, class: name }) => (code ? [{ code, class: name }] : []))
}

function unique(list: Use[]): Use[] {
  return [...new Map(list.map((use) => [`${use.code} ${use.class}`, use])).values()]
}

function hidden(source: string, classes: string[]): string[] {
  const made = newErrors(nodesOf(parse(source))).filter((node) => classes.includes(node.expression.getText()))
  return made.filter((node) => !codeOf(node.arguments?.[codeAt(node)])).map((node) => node.getText())
}

/** The base class takes its kind first. */
function codeAt(node: ts.NewExpression): number {
  return node.expression.getText() === 'JobsError' ? 1 : 0
}

/** Our error classes whose first argument is the code. */
function classesTakingCodes(source: string): string[] {
  const classes = errorClasses(nodesOf(parse(source))).filter((node) => !fixedCode(node))
  return classes.map((node) => node.name?.text ?? '')
}

function newErrors(nodes: ts.Node[]): ts.NewExpression[] {
  return nodes.filter(ts.isNewExpression).filter((node) => /Error$/.test(node.expression.getText()))
}

function errorClasses(nodes: ts.Node[]): ts.ClassDeclaration[] {
  return nodes.filter(ts.isClassDeclaration).filter((node) => /extends \w+Error\b/.test(node.heritageClauses?.[0]?.getText() ?? ''))
}

function fixedCode(node: ts.ClassDeclaration): string | undefined {
  const calls = nodesOf(node).filter(ts.isCallExpression)
  return codeOf(calls.find((call) => call.expression.kind === ts.SyntaxKind.SuperKeyword)?.arguments[1])
}

function codeOf(node: ts.Node | undefined): string | undefined {
  return node && ts.isStringLiteral(node) && /^[A-Z][A-Z0-9_]+$/.test(node.text) ? node.text : undefined
}

/** The rows of the page's table of codes. A code that two kinds of caller can meet names both classes. */
function documented(markdown: string): Row[] {
  const rows = markdown.matchAll(/^\| `([A-Z][A-Z0-9_]+)` \| `([\w`, ]+)` \| (.*) \| (.*) \|$/gm)
  return [...rows].map(([, code = '', classes = '', meaning = '', solution = '']) => ({
    code,
    classes: classes.split('`, `'),
    meaning,
    solution,
  }))
}
