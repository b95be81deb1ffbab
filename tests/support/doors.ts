import { join } from 'node:path'
import ts from 'typescript'
import { compilerOptions } from './compiler-options.ts'
import { doorsOf, root, workspacePackages } from './workspace.ts'

export interface ExportedSymbol {
  name: string
  kind: 'value' | 'type'
  /** The doc comment of the declaration, empty when there is none. */
  documentation: string
  /** For exported `…Options` types: members without a doc comment. */
  undocumentedMembers: string[]
}

export interface Door {
  package: string
  /** As in package.json: `.`, `./worker`. */
  path: string
  exports: ExportedSymbol[]
}

/** Every door of every package, read by the TypeScript compiler from source. */
export function readDoors(): Door[] {
  const doors = workspacePackages().flatMap((found) =>
    Object.entries(doorsOf(found)).map(([path, file]) => ({ package: found.manifest.name, path, file: join(root, file) })),
  )
  const program = ts.createProgram(
    doors.map(({ file }) => file),
    compilerOptions(),
  )
  const checker = program.getTypeChecker()
  return doors.map(({ file, ...door }) => {
    const source = program.getSourceFile(file)
    if (!source) throw new Error(`${door.package} names ${file} as its door ${door.path}, and there is no such file`)
    const symbol = checker.getSymbolAtLocation(source)
    const symbols = symbol ? checker.getExportsOfModule(symbol) : []
    return { ...door, exports: symbols.map((exported) => describeSymbol(exported, checker)).toSorted(byKindAndName) }
  })
}

function describeSymbol(exported: ts.Symbol, checker: ts.TypeChecker): ExportedSymbol {
  const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported
  const typeOnly = exported.declarations?.some((node) => ts.isExportSpecifier(node) && (node.isTypeOnly || node.parent.parent.isTypeOnly))
  const kind = symbol.flags & ts.SymbolFlags.Value && !typeOnly ? 'value' : 'type'
  return { name: exported.name, kind, documentation: documentationOf(symbol, checker), undocumentedMembers: undocumented(symbol, checker) }
}

function undocumented(symbol: ts.Symbol, checker: ts.TypeChecker): string[] {
  if (!symbol.name.endsWith('Options')) return []
  const members = checker.getDeclaredTypeOfSymbol(symbol).getProperties()
  return members.filter((member) => member.name !== 'cause' && documentationOf(member, checker) === '').map(({ name }) => name)
}

function documentationOf(symbol: ts.Symbol, checker: ts.TypeChecker): string {
  return ts.displayPartsToString(symbol.getDocumentationComment(checker)).trim()
}

function byKindAndName(a: ExportedSymbol, b: ExportedSymbol): number {
  return b.kind.localeCompare(a.kind) || a.name.localeCompare(b.name)
}
