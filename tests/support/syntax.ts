import ts from 'typescript'
import { readText } from './workspace.ts'

/** The syntax tree of a file of the repository. */
export function parseFile(file: string): ts.SourceFile {
  return parse(readText(file), file)
}

/** The syntax tree of a text. */
export function parse(source: string, file = 'source.ts'): ts.SourceFile {
  return ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true)
}

/** Every node of a tree, from the top down. */
export function nodesOf(node: ts.Node): ts.Node[] {
  const nodes: ts.Node[] = []
  const visit = (child: ts.Node) => {
    nodes.push(child)
    ts.forEachChild(child, visit)
  }
  visit(node)
  return nodes
}
