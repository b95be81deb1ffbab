import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A file of the new package, with `my_type`, `my-type` and `myType` where its name belongs. */
export interface Template {
  /** Below the package's folder. */
  readonly path: string
  readonly text: string
}

const folder = join(import.meta.dirname, 'templates')

/** What both kinds of package have, and what this kind has. The files end in `.txt`, so that no tool takes them for ours. */
export function readTemplates(kind: 'plain' | 'ai'): Template[] {
  return ['both', kind].flatMap((part) =>
    readdirSync(join(folder, part), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.txt'))
      .map((file) => ({ path: file.replace(/\.txt$/, ''), text: readFileSync(join(folder, part, file), 'utf8') })),
  )
}

/** Identifiers that the sources use: a definition of that name would be in their way. */
export function identifiersOf(templates: readonly Template[]): Set<string> {
  return new Set(
    templates
      .flatMap(({ path, text }) => (path.endsWith('.ts') ? (text.match(/\b[A-Za-z_]\w*\b/g) ?? []) : []))
      .filter((name) => name !== 'myType'),
  )
}
