import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { JobDefinition } from '../definition/define-job.ts'
import { InvalidPayloadError } from '../errors/permanent-error.ts'
import { findJsonProblem } from '../json/check-json.ts'
import { storedSize } from '../json/stored-size.ts'

/** 64 KiB: payloads hold paths and ids, never audio. */
const MAX_PAYLOAD_BYTES = 65_536

/**
 * Checks `value` against the definition's schema and gives the schema's output, with defaults filled in.
 * @throws InvalidPayloadError `PAYLOAD_INVALID` listing each field that is wrong.
 */
export async function checkAgainstSchema<Output>(
  definition: JobDefinition<unknown, Output>,
  value: unknown,
  where: string,
): Promise<Output> {
  let checked = definition.payload['~standard'].validate(value)
  if (checked instanceof Promise) checked = await checked
  if (checked.issues === undefined) return checked.value
  const list = checked.issues.slice(0, 10).map((issue) => `${['payload', ...pathOf(issue)].join('.')}: ${issue.message}`)
  const more = checked.issues.length > list.length ? `; and ${checked.issues.length - list.length} more` : ''
  throw new InvalidPayloadError('PAYLOAD_INVALID', `${where}: the payload does not fit the schema. ${list.join('; ')}${more}`)
}

/**
 * The payload as JSON text for the table.
 * @throws InvalidPayloadError `PAYLOAD_NOT_JSON`, `PAYLOAD_TOO_LARGE`
 */
export function payloadToJson(payload: unknown, where: string): string {
  const problem = findJsonProblem(payload, 'payload')
  if (problem) throw new InvalidPayloadError('PAYLOAD_NOT_JSON', `${where}: ${problem.path} ${problem.problem}.`)
  const json = JSON.stringify(payload)
  const size = storedSize(json)
  if (size > MAX_PAYLOAD_BYTES) {
    throw new InvalidPayloadError(
      'PAYLOAD_TOO_LARGE',
      `${where}: the payload is ${size} bytes of JSON; at most ${MAX_PAYLOAD_BYTES} fit. Put paths and ids into it, not contents.`,
    )
  }
  return json
}

function pathOf(issue: StandardSchemaV1.Issue): string[] {
  return (issue.path ?? []).map((part) => String(typeof part === 'object' ? part.key : part))
}
