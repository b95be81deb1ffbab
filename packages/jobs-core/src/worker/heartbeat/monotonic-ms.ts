/** Milliseconds by the machine's monotonic clock: the same for every thread, not moved by clock changes nor stopped by a pause. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6
}
