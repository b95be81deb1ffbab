/** A row of the table that `upsert_job_status` keeps. */
export interface SpacetimeJobStatus {
  job_id: string
  collection_id: string
  job_type: string
  status: string
  attempt: number
  max_attempts: number
  progress: number
  message_no: string
  updated_at: string
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const statuses = ['pending', 'running', 'completed', 'error', 'retry', 'cancelled']
const isCount = (value: unknown) => Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 0xff_ff_ff_ff
const isText = (value: unknown) => typeof value === 'string'

/** The reducer's parameters, in order, and what each takes. */
const parameters: readonly [keyof SpacetimeJobStatus, (value: unknown) => boolean][] = [
  ['job_id', (value) => isText(value) && uuid.test(value as string)],
  ['collection_id', (value) => isText(value) && uuid.test(value as string)],
  ['job_type', (value) => isText(value) && value !== ''],
  ['status', (value) => statuses.includes(value as string)],
  ['attempt', isCount],
  ['max_attempts', isCount],
  ['progress', (value) => typeof value === 'number' && value >= 0 && value <= 1],
  ['message_no', (value) => isText(value) && value !== '' && (value as string).length <= 200],
  ['updated_at', (value) => isText(value) && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value as string)],
]

/** A call's arguments as a row; a sentence when they are not what the reducer takes. Stricter than the server, which knows types only. */
export function readRow(body: string): SpacetimeJobStatus | string {
  const values = parse(body)
  if (!Array.isArray(values)) return 'invalid arguments for reducer upsert_job_status: expected a JSON array'
  if (values.length !== parameters.length) {
    return `invalid arguments for reducer upsert_job_status: invalid length ${values.length}, expected ${parameters.length} elements`
  }
  const wrong = parameters.findIndex(([, takes], index) => !takes(values[index]))
  if (wrong !== -1) return `invalid arguments for reducer upsert_job_status: ${parameters[wrong]?.[0]} is ${JSON.stringify(values[wrong])}`
  return Object.fromEntries(parameters.map(([name], index) => [name, values[index]])) as unknown as SpacetimeJobStatus
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
