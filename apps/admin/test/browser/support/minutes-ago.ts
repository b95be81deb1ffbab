/** A moment so many minutes ago; of a negative number, to come. */
export function minutesAgo(minutes: number): Date {
  return new Date(Date.now() - minutes * 60_000)
}
