/** A moment as text that every language and program reads. */
export function moment(atMs: number): string {
  return new Date(atMs).toISOString()
}

/** A length of time in the largest unit that fits: "35 s", "12 min", "3 h", "2 days". */
export function length(lengthMs: number): string {
  const seconds = Math.max(0, lengthMs) / 1_000
  if (seconds < 120) return `${Math.ceil(seconds)} s`
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`
  return seconds < 172_800 ? `${Math.round(seconds / 3_600)} h` : `${Math.round(seconds / 86_400)} days`
}

/** The same of what has passed: never more than that. */
export function elapsed(lengthMs: number): string {
  return lengthMs < 1_000 ? 'less than a second' : length(Math.floor(lengthMs / 1_000) * 1_000)
}

/** "1 worker", "3 workers". */
export function counted(count: number, word: string): string {
  return `${count.toLocaleString('en')} ${word}${count === 1 ? '' : 's'}`
}
