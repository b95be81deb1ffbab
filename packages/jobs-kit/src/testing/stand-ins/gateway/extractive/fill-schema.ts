import type { JsonValue } from '@sidelinja/jobs-core'
import { type JsonSchema, resolveReference, typesOf } from '../chat/json-schema.ts'
import { chooseEnum } from './choose-enum.ts'
import { chooseItems } from './choose-items.ts'
import { chooseNumber } from './choose-number.ts'
import { chooseText } from './choose-text.ts'
import type { Focus } from './focus.ts'
import type { Source } from './source.ts'

/** Where in the schema the model is. */
interface Place {
  root: JsonSchema
  source: Source
  /** The property's name, in small letters with underscores; of an item, that of its list. */
  key: string
  focus: Focus | undefined
  depth: number
}

/** As deep as a schema that refers to itself is followed. */
const maxDepth = 12

/** Fills a schema in its strict form: types come from the schema, what to put there from the names of its properties. */
export function fillSchema(root: JsonSchema, source: Source): JsonValue {
  return fill(root, { root, source, key: '', focus: undefined, depth: 0 })
}

function fill(given: JsonSchema, place: Place): JsonValue {
  const { schema, nullable } = unwrap(given, place)
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return chooseEnum(schema.enum, place)
  const type = typesOf(schema).find((name) => name !== 'null') ?? 'null'
  if (nullable && place.depth > maxDepth) return null
  if (type === 'object') return fillObject(schema, place)
  if (type === 'array') return fillArray(schema, place)
  if (type === 'string') return chooseText(place) ?? (nullable ? null : '')
  if (type === 'number' || type === 'integer') return chooseNumber(place, type === 'integer') ?? (nullable ? null : 0)
  return type === 'boolean' ? false : null
}

function fillObject({ properties = {} }: JsonSchema, place: Place): JsonValue {
  const entries = Object.entries(properties).map(([name, schema]) => [
    name,
    fill(schema, { ...place, key: snake(name), depth: place.depth + 1 }),
  ])
  return Object.fromEntries(entries)
}

function fillArray({ items }: JsonSchema, place: Place): JsonValue {
  if (items === undefined || place.depth > maxDepth) return []
  return chooseItems(place.key, place.source, place.focus).map((focus) => fill(items, { ...place, focus, depth: place.depth + 1 }))
}

/** References followed, and of several forms the one to fill: the first that is no null, or whose constants are those of the data. */
function unwrap(given: JsonSchema, place: Place): { schema: JsonSchema; nullable: boolean } {
  let schema = given
  let nullable = false
  for (let steps = 0; steps < 20; steps++) {
    nullable ||= typesOf(schema).includes('null')
    if (schema.$ref !== undefined) schema = resolveReference(schema.$ref, place.root) ?? {}
    else if (schema.anyOf !== undefined) {
      const forms = schema.anyOf.filter((form) => form.type !== 'null')
      nullable ||= forms.length < schema.anyOf.length
      schema = forms.find((form) => isOfTheData(form, place)) ?? forms[0] ?? { type: 'null' }
    } else break
  }
  return { schema, nullable }
}

function isOfTheData(form: JsonSchema, { source, root }: Place): boolean {
  const { properties = {} } = form.$ref === undefined ? form : (resolveReference(form.$ref, root) ?? {})
  const constants = Object.entries(properties).filter(([, part]) => part.const !== undefined)
  return constants.length > 0 && constants.every(([name, part]) => source.data[name] === part.const)
}

function snake(name: string): string {
  return name.replace(/(\p{Ll})(\p{Lu})/gu, '$1_$2').toLowerCase()
}
