import { readFile } from 'node:fs/promises'
import type { Bench, Check } from '../conformance.ts'

const MAX_TIMEOUT_MS = 24 * 3_600_000

/** What a web server imports, what a worker runs and what a reader finds agree with each other. */
export const definitionCheck: Check = {
  name: 'is defined as its package says',
  async run({ options, handler }: Bench) {
    const { definition } = options.package
    const manifest = JSON.parse(await read(options.packageFolder, 'package.json')) as { name?: string; exports?: Record<string, unknown> }
    const readme = await read(options.packageFolder, 'README.md')
    const kebab = `handler-${definition.type.replaceAll('_', '-')}`
    return [
      violation(handler.definition !== definition, 'createHandler builds a handler for another definition than the package exports.'),
      violation(!/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(definition.type), `The job type ${definition.type} is not snake_case.`),
      violation(
        !(manifest.name ?? '').endsWith(kebab),
        `The package is called ${manifest.name}; the type ${definition.type} belongs in ${kebab}.`,
      ),
      violation(!manifest.exports?.['./job'], 'package.json has no export "./job": a web server could not import the definition alone.'),
      violation(
        definition.timeoutMs > MAX_TIMEOUT_MS,
        `The timeout of ${definition.timeoutMs} ms is longer than a day: a hanging job would keep its slot.`,
      ),
      violation(!readme.includes(definition.type), `README.md does not name the job type ${definition.type}.`),
      violation(!/permanent/i.test(readme), 'README.md does not say which failures are permanent.'),
    ].flat()
  },
}

function violation(broken: boolean, words: string): string[] {
  return broken ? [words] : []
}

/** A file's text; a missing file is an empty one, which breaks the rules about its contents. */
async function read(folder: URL, name: string): Promise<string> {
  const base = folder.href.endsWith('/') ? folder : new URL(`${folder.href}/`)
  return await readFile(new URL(name, base), 'utf8').catch(() => (name.endsWith('.json') ? '{}' : ''))
}
