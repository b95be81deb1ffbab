import type { JsonValue } from '../../json/json-value.ts'

/**
 * A part of a value: of objects the keys that matter, of lists every element. In place of any value a regular expression stands for the
 * texts it matches, and a matcher of vitest or jest (`expect.any(Number)`) for what it takes.
 */
export type Part<Value> =
  | RegExp
  | (Value extends readonly (infer Item)[]
      ? readonly Part<Item>[]
      : Value extends Date
        ? Date
        : Value extends object
          ? { readonly [Key in keyof Value]?: Part<Value[Key]> }
          : Value)

/** Where a value is not what was expected. */
export interface Difference {
  /** `payload.guests[1].name` */
  path: string
  expected: unknown
  got: unknown
}

interface Matcher {
  asymmetricMatch(value: unknown): boolean
}

/** Where `got`, which comes from JSON, is not as `expected` has it. A key expected to be undefined must be missing. */
export function compare(got: JsonValue | undefined, expected: unknown, path: string): Difference[] {
  const differs = (isEqual: boolean) => (isEqual ? [] : [{ path, expected, got }])
  if (isMatcher(expected)) return differs(expected.asymmetricMatch(got))
  if (expected instanceof RegExp) return differs(typeof got === 'string' && expected.test(got))
  if (typeof expected !== 'object' || expected === null) return differs(Object.is(got, expected))
  if ('toJSON' in expected && typeof expected.toJSON === 'function') return compare(got, expected.toJSON(), path)
  if (typeof got !== 'object' || got === null || Array.isArray(got) !== Array.isArray(expected)) return differs(false)
  if (Array.isArray(expected)) {
    const list = got as readonly JsonValue[]
    return list.length === expected.length
      ? expected.flatMap((item, index) => compare(list[index], item, `${path}[${index}]`))
      : differs(false)
  }
  const object = got as Record<string, JsonValue | undefined>
  return Object.entries(expected).flatMap(([key, value]) =>
    compare(Object.hasOwn(object, key) ? object[key] : undefined, value, `${path}.${key}`),
  )
}

function isMatcher(value: unknown): value is Matcher {
  return typeof value === 'object' && value !== null && 'asymmetricMatch' in value && typeof value.asymmetricMatch === 'function'
}
