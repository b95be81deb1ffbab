const unitsMs: Record<string, number> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 }

/** `500ms`, `1s`, `2.5m`, `1h` in milliseconds; undefined when the text is no duration. A unit is required: 30 of what? */
export function parseDuration(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(text.trim())
  return match ? Math.round(Number(match[1]) * (unitsMs[match[2] as string] as number)) : undefined
}

/** The shortest way to write it: 90000 → `90s`. */
export function formatDuration(ms: number): string {
  const unit = ['h', 'm', 's'].find((name) => ms > 0 && ms % (unitsMs[name] as number) === 0) ?? 'ms'
  return `${ms / (unitsMs[unit] as number)}${unit}`
}
