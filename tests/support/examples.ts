import { readText, repositoryFiles } from './workspace.ts'

export interface Example {
  /** `README.md: quickstart`. */
  name: string
  code: string
  /** What it must print, line by line; undefined when the page does not say. */
  prints: string | undefined
}

/** Every example of a Markdown page that is marked as one to run. */
export function markedExamples(): Example[] {
  return repositoryFiles()
    .filter((file) => file.endsWith('.md'))
    .flatMap((file) => examplesIn(readText(file), file))
}

/**
 * `<!-- example: name -->` before a block of TypeScript marks it to be run; `<!-- prints: name -->` before a block of text says
 * what it prints.
 */
export function examplesIn(markdown: string, file: string): Example[] {
  const marks = [...markdown.matchAll(/^<!-- example: (\S+) -->$/gm)].map(([, name = '']) => name)
  return marks.map((name) => {
    const code = block(markdown, `example: ${name}`, 'ts')
    if (code === undefined) throw new Error(`${file}: the mark "example: ${name}" must be followed by a \`\`\`ts block`)
    return { name: `${file}: ${name}`, code, prints: block(markdown, `prints: ${name}`, 'text') }
  })
}

/** The block of this language after `<!-- mark -->`; undefined when there is none. */
export function block(markdown: string, mark: string, language: string): string | undefined {
  const [, after] = markdown.split(`<!-- ${mark} -->\n`)
  return after && new RegExp(`^\\s*\`\`\`${language}\\n([\\s\\S]*?)\`\`\`$`, 'm').exec(after.slice(0, after.search(/^```$/m) + 3))?.[1]
}
