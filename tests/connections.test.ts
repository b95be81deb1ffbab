import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { nodesOf, parse } from './support/syntax.ts'
import { isTestFile, readText, repositoryFiles } from './support/workspace.ts'

// A `pg` client whose connection breaks while it is checked out ends the process, unless somebody listens to the client's own errors.

const sources = repositoryFiles().filter((file) => /^(packages|apps)\/[^/]+\/src\/.+\.ts$/.test(file) && !isTestFile(file))

describe('every client of pg has somebody who listens to its errors', () => {
  test('in all that is packed and run', () => {
    expect(sources.flatMap((file) => deaf(readText(file)).map((text) => `${file}: ${text}`))).toEqual([])
    expect(sources.filter((file) => readText(file).includes('surviveDisconnects(new pg.Pool')).length).toBeGreaterThan(0)
  })

  test('one that has nobody is noticed', () => {
    expect(deaf('const pool = new pg.Pool({})')).toEqual(['new pg.Pool({})'])
    expect(deaf("const pool = new Pool({})\npool.on('error', () => {})")).toEqual(['new Pool({})'])
    expect(deaf('const pool = surviveDisconnects(new pg.Pool({}))\nconst use = () => pool.connect()')).toEqual([])
    expect(deaf('async function f() { const client = new pg.Client({}); await client.connect() }')).toEqual(['new pg.Client({})'])
    expect(deaf("async function f() { const client = new pg.Client({}); client.on('error', () => {}) }")).toEqual([])
    expect(deaf('async function f(pool: Pool) { return await pool.connect() }')).toEqual(['pool.connect()'])
    expect(deaf("async function f(pool: Pool) { const client = await pool.connect(); client.on('error', () => {}) }")).toEqual([])
  })
})

function deaf(source: string): string[] {
  const nodes = nodesOf(parse(source))
  const survives = source.includes('surviveDisconnects(new pg.Pool(')
  const made = nodes.filter(ts.isNewExpression).filter((node) => {
    const name = node.expression.getText().replace(/^pg\./, '')
    if (name === 'Pool') return !ts.isCallExpression(node.parent) || node.parent.expression.getText() !== 'surviveDisconnects'
    return name === 'Client' && !listens(node)
  })
  const taken = nodes
    .filter(ts.isCallExpression)
    .filter((node) => /\bpool\.connect$/i.test(node.expression.getText()) && !survives && !listens(node))
  return [...made, ...taken].map((node) => node.getText())
}

/** Somewhere in the function around it a listener is added. */
function listens(node: ts.Node): boolean {
  const around = ts.findAncestor(node.parent, (each) => ts.isFunctionDeclaration(each) || ts.isSourceFile(each))
  return /\.on\('error'/.test(around?.getText() ?? '')
}
