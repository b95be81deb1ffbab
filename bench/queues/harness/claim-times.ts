import { nowMs } from '../contender.ts'

type Query = (...args: unknown[]) => unknown

/**
 * Notes how long each statement takes that claims jobs, as the process that asked waits for it. All contenders talk through
 * node-postgres: one place sees them all.
 */
export function watchClaims(client: { prototype: object }, isClaim: (sql: string) => boolean, note: (ms: number) => void): void {
  const prototype = client.prototype as { query: Query }
  const original = prototype.query
  prototype.query = function (this: unknown, ...args: unknown[]) {
    const [config] = args
    const sql = typeof config === 'string' ? config : (config as { text?: unknown } | undefined)?.text
    if (typeof sql !== 'string' || !isClaim(sql)) return original.apply(this, args)
    const startedAt = nowMs()
    const done = () => note(nowMs() - startedAt)
    const callback = args.at(-1)
    if (typeof callback === 'function')
      args[args.length - 1] = (...answer: unknown[]) => {
        done()
        callback(...answer)
      }
    const result = original.apply(this, args)
    if (result instanceof Promise) result.then(done, () => {})
    return result
  }
}
