import { join } from 'node:path'
import ts from 'typescript'
import { root } from './workspace.ts'

/** The options of tsconfig.base.json, for the compiler's API. */
export function compilerOptions(): ts.CompilerOptions {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.base.json'), ts.sys.readFile)
  return ts.parseJsonConfigFileContent({ ...config, files: [] }, ts.sys, root).options
}
