/** A JSON schema of the few words that assertions.ts lets through. */
type Schema = boolean | Record<string, unknown>

/** Of an output so many beginnings are tried. */
const mostTries = 50

/** Whether the whole output is JSON that fits. */
export function isJson(output: string, schema: unknown): boolean {
  const value = parse(output)
  return value !== undefined && fits(value, schema as Schema | undefined)
}

/** Whether somewhere in the output there is an object or a list that fits. */
export function containsJson(output: string, schema: unknown): boolean {
  let tries = 0
  for (const { index } of output.matchAll(/[{[]/g)) {
    if (tries++ === mostTries) return false
    const end = endOf(output, index)
    if (end !== undefined && isJson(output.slice(index, end), schema)) return true
  }
  return false
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Where what opens there closes again. */
function endOf(text: string, start: number): number | undefined {
  let depth = 0
  let quoted = false
  for (let at = start; at < text.length; at++) {
    const sign = text[at]
    if (quoted) {
      if (sign === '\\') at++
      else if (sign === '"') quoted = false
    } else if (sign === '"') quoted = true
    else if (sign === '{' || sign === '[') depth++
    else if ((sign === '}' || sign === ']') && --depth === 0) return at + 1
  }
  return undefined
}

function fits(value: unknown, schema: Schema = true): boolean {
  if (typeof schema === 'boolean') return schema
  const { type, enum: values, const: only, anyOf } = schema
  if (type !== undefined && ![type].flat().some((name) => isOf(value, name as string))) return false
  if (Array.isArray(values) && !values.includes(value)) return false
  if ('const' in schema && only !== value) return false
  if (Array.isArray(anyOf) && !anyOf.some((each) => fits(value, each as Schema))) return false
  if (typeof value === 'string') return within([...value].length, schema.minLength, schema.maxLength)
  if (typeof value === 'number') return within(value, schema.minimum, schema.maximum)
  if (Array.isArray(value)) {
    return within(value.length, schema.minItems, schema.maxItems) && value.every((each) => fits(each, schema.items as Schema | undefined))
  }
  return typeof value === 'object' && value !== null ? fitsObject(value as Record<string, unknown>, schema) : true
}

function fitsObject(value: Record<string, unknown>, schema: Record<string, unknown>): boolean {
  const properties = (schema.properties ?? {}) as Record<string, Schema>
  const required = (schema.required ?? []) as string[]
  if (required.some((name) => !Object.hasOwn(value, name))) return false
  return Object.entries(value).every(([name, each]) =>
    fits(each, Object.hasOwn(properties, name) ? properties[name] : (schema.additionalProperties as Schema | undefined)),
  )
}

function isOf(value: unknown, type: string): boolean {
  if (type === 'null') return value === null
  if (type === 'array') return Array.isArray(value)
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value)
  return typeof value === type
}

function within(size: number, least: unknown, most: unknown): boolean {
  return (typeof least !== 'number' || size >= least) && (typeof most !== 'number' || size <= most)
}
