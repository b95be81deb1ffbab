import { PermanentError } from '@sidelinja/jobs-core'
import type { TestCase } from './assertions.ts'

/** More than any model takes. */
const mostCharacters = 200_000
const opening = /\{\{([^{}]{0,100})\}\}|\{\{|\{%|\{#/g

/**
 * Puts a test's variables where `{{name}}` stands, once: what a variable says is not looked into again. No filters, no blocks, no calls: a template is data, and no engine that could run it is
 * asked.
 * @throws PermanentError `PROMPT_TEMPLATE_INVALID`
 */
export function render(template: string, vars: TestCase['vars'], where: string): string {
  let length = template.length
  const rendered = template.replace(opening, (found: string, inside: string | undefined) => {
    const name = inside?.trim() ?? ''
    if (!/^[A-Za-z_][\w-]*$/.test(name)) throw invalid(`${where}: expected {{name}}, got ${JSON.stringify(found)}`)
    if (!Object.hasOwn(vars, name)) throw invalid(`${where}: expected vars to have ${JSON.stringify(name)}, got ${listOf(vars)}`)
    const value = String(vars[name])
    length += value.length
    if (length > mostCharacters) throw invalid(`${where}: expected at most ${mostCharacters} characters with its variables, got more`)
    return value
  })
  return rendered
}

function listOf(vars: TestCase['vars']): string {
  return Object.keys(vars).slice(0, 10).join(', ') || 'none'
}

function invalid(problem: string): PermanentError {
  return new PermanentError(
    'PROMPT_TEMPLATE_INVALID',
    `${problem.slice(0, 500)}. Nothing was asked. Correct the prompt or the test, then enqueue the job anew.`,
  )
}
