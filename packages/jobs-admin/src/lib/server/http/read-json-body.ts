import type { z } from 'zod'
import { parseJsonObject } from './parse-json-object.ts'
import type { Problem } from './problem.ts'
import { type BodyLimits, readBody } from './read-body.ts'

/** A body that fits its schema, or why there is none. */
export type JsonBody<Input> = { value: Input } | { problem: Problem }

const maxIssues = 5
const maxIssueLength = 200

/**
 * Reads a JSON object of at most 128 KiB and 32 levels, and checks it. Make the schema with `z.strictObject`, so that a key that is
 * not known is refused by its name. Never throws.
 */
export async function readJsonBody<Input>(request: Request, schema: z.ZodType<Input>, limits: BodyLimits = {}): Promise<JsonBody<Input>> {
  const body = await readBody(request, limits)
  if ('problem' in body) return body
  const parsed = parseJsonObject(body.text)
  if ('wrong' in parsed) return { problem: { status: 400, code: 'BODY_INVALID', detail: `The body ${parsed.wrong}.` } }
  const checked = schema.safeParse(parsed.value)
  if (checked.success) return { value: checked.data }
  return { problem: { status: 400, code: 'BODY_INVALID', detail: describe(checked.error) } }
}

function describe({ issues }: z.ZodError): string {
  const lines = issues.slice(0, maxIssues).map(({ path, message }) => [path.map(String).join('.'), message].filter(Boolean).join(': '))
  return lines.map((line) => (line.length <= maxIssueLength ? line : `${line.slice(0, maxIssueLength).toWellFormed()} …`)).join('; ')
}
