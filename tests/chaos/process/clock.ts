/** Moves this thread's `Date`, and nothing else. */
export function shiftClock(byMs: number): void {
  if (byMs === 0) return
  const RealDate = Date
  globalThis.Date = class extends RealDate {
    constructor(...given: unknown[]) {
      super(...((given.length === 0 ? [RealDate.now() + byMs] : given) as [number]))
    }
    static override now() {
      return RealDate.now() + byMs
    }
  } as DateConstructor
}
