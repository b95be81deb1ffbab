import { availableParallelism, loadavg } from 'node:os'

/** How many times more there is to do on this machine than it can do at once; 1 when it has time. Whatever is waited for takes that much longer. */
export function overload(): number {
  return Math.max(1, (loadavg()[0] ?? 0) / availableParallelism())
}
