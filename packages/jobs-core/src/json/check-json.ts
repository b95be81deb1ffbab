import { describeError } from '../errors/describe-error.ts'

/** Where and why a value cannot be stored as JSON. */
export interface JsonProblem {
  /** `payload.guests[2].name` */
  path: string
  problem: string
}

const maxDepth = 100

/**
 * Looks for what JSON.stringify or PostgreSQL's jsonb would refuse, drop or change silently. Returns the first problem, or
 * undefined. Values with a toJSON method (dates) are judged by what that gives; properties that are undefined are left out, as
 * JSON does.
 */
export function findJsonProblem(value: unknown, path: string): JsonProblem | undefined {
  return visit(value, path, [])
}

function visit(value: unknown, path: string, parents: readonly object[]): JsonProblem | undefined {
  switch (typeof value) {
    case 'string':
      return textProblem(value, path)
    case 'number':
      return Number.isFinite(value) ? undefined : { path, problem: `is ${value}; JSON has only finite numbers` }
    case 'boolean':
      return undefined
    case 'object':
      return value === null ? undefined : visitObject(value, path, parents)
    case 'bigint':
      return { path, problem: `is the BigInt ${value}; send it as a string` }
    default:
      return { path, problem: `is ${value === undefined ? 'undefined' : `a ${typeof value}`}, which JSON cannot hold` }
  }
}

function visitObject(value: object, path: string, parents: readonly object[]): JsonProblem | undefined {
  if (parents.includes(value)) return { path, problem: 'contains itself' }
  if (parents.length >= maxDepth) return { path, problem: `is nested deeper than ${maxDepth} levels` }
  try {
    return visitInside(value, path, [...parents, value])
  } catch (error) {
    // A getter or a toJSON of the caller's threw.
    return { path, problem: `cannot be read: ${describeError(error).message}` }
  }
}

function visitInside(value: object, path: string, inside: readonly object[]): JsonProblem | undefined {
  if (value instanceof Date && Number.isNaN(value.getTime())) return { path, problem: 'is an invalid date' }
  if ('toJSON' in value && typeof value.toJSON === 'function') return visit(value.toJSON(), path, inside)
  if (Array.isArray(value)) return first(value, (element, index) => visit(element, `${path}[${index}]`, inside))
  const prototype = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) {
    return { path, problem: `is an instance of ${prototype.constructor?.name || 'a class'}; use plain objects and arrays` }
  }
  return first(Object.entries(value), ([key, element]) => {
    const inner = `${path}.${key}`
    return textProblem(key, `the key ${JSON.stringify(inner)}`) ?? (element === undefined ? undefined : visit(element, inner, inside))
  })
}

function textProblem(text: string, path: string): JsonProblem | undefined {
  if (text.includes('\0')) return { path, problem: 'contains a NUL character (U+0000), which PostgreSQL cannot store' }
  if (!text.isWellFormed()) return { path, problem: 'contains half of a surrogate pair (invalid Unicode), which PostgreSQL cannot store' }
  return undefined
}

function first<T>(list: readonly T[], check: (element: T, index: number) => JsonProblem | undefined): JsonProblem | undefined {
  for (const [index, element] of list.entries()) {
    const problem = check(element, index)
    if (problem) return problem
  }
  return undefined
}
