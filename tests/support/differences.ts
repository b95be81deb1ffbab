/** Where two values of JSON differ, as `path: first → second`, in the order of paths. The order of keys does not count. */
export function differences(first: unknown, second: unknown, path = ''): string[] {
  if (isRecord(first) && isRecord(second)) {
    const keys = [...new Set([...Object.keys(first), ...Object.keys(second)])].toSorted()
    return keys.flatMap((key) => {
      const here = path ? `${path}.${key}` : key
      if (!(key in first)) return [`${here}: only adopted`]
      return key in second ? differences(first[key], second[key], here) : [`${here}: only new`]
    })
  }
  return first === second ? [] : [`${path}: ${first} → ${second}`]
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
