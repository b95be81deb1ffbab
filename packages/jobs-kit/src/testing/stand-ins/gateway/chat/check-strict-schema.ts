import { type JsonSchema, resolveReference, typesOf } from './json-schema.ts'

/** What some or all providers refuse in a strict schema. */
const refused = [
  ...['minLength', 'maxLength', 'pattern', 'format', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['minItems', 'maxItems', 'uniqueItems', 'prefixItems', 'contains', 'patternProperties', 'propertyNames', 'minProperties'],
  ...['maxProperties', 'oneOf', 'allOf', 'not', 'if', 'then', 'else', 'default'],
]
const known = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null']

/** What is wrong with a schema that claims to be strict; undefined when nothing is. */
export function checkStrictSchema(root: JsonSchema): string | undefined {
  if (root.type !== 'object') return `schema must be a JSON Schema of 'type: "object"', got 'type: "${root.type}"'.`
  return check(root, root, [])
}

function check(schema: JsonSchema, root: JsonSchema, path: string[]): string | undefined {
  const at = `In context=(${path.map((part) => `'${part}'`).join(', ')})`
  const word = Object.keys(schema).find((key) => refused.includes(key))
  if (word !== undefined) return `${at}, '${word}' is not permitted.`
  if (schema.$ref !== undefined && resolveReference(schema.$ref, root) === undefined)
    return `${at}, reference '${schema.$ref}' leads nowhere.`
  const types = typesOf(schema)
  const strange = types.find((type) => !known.includes(type))
  if (strange !== undefined) return `${at}, '${strange}' is not a type.`
  const says = schema.$ref ?? schema.anyOf ?? schema.enum ?? schema.const
  if (types.length === 0 && says === undefined) return `${at}, schema must have a 'type' key.`
  if (types.includes('array') && schema.items === undefined) return `${at}, array schema missing items.`
  return (types.includes('object') ? checkObject(schema, at) : undefined) ?? checkParts(schema, root, path)
}

function checkObject({ properties = {}, required = [], additionalProperties }: JsonSchema, at: string): string | undefined {
  if (additionalProperties !== false) return `${at}, 'additionalProperties' is required to be supplied and to be false.`
  const missing = Object.keys(properties).find((name) => !required.includes(name))
  if (missing === undefined) return undefined
  return `${at}, 'required' is required to be supplied and to be an array including every key in properties. Missing '${missing}'.`
}

function checkParts(schema: JsonSchema, root: JsonSchema, path: string[]): string | undefined {
  const parts: [string[], JsonSchema][] = [
    ...named(schema.properties, 'properties'),
    ...named(schema.$defs, '$defs'),
    ...named(schema.definitions, 'definitions'),
    ...(schema.anyOf ?? []).map((part, index): [string[], JsonSchema] => [['anyOf', String(index)], part]),
    ...(schema.items ? [[['items'], schema.items] as [string[], JsonSchema]] : []),
  ]
  for (const [more, part] of parts) {
    const wrong = check(part, root, [...path, ...more])
    if (wrong !== undefined) return wrong
  }
  return undefined
}

function named(parts: Record<string, JsonSchema> | undefined, word: string): [string[], JsonSchema][] {
  return Object.entries(parts ?? {}).map(([name, part]) => [[word, name], part])
}
