import ts from 'typescript'

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
