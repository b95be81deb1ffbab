import type { DownService } from '../queue/find-down-services.ts'
import type { Handler } from './define-handler.ts'

/** After a job was taken to find out whether a service is back: another one only when that should have been found out. */
const afterScoutMs = 30_000
/** After a look that found no such job. */
const afterNothingMs = 5_000

/** Which types a worker may claim, given what is known about the services they need. Knows no clock and no database of its own. */
export interface ServiceGate {
  /** Takes what is known now: everything that is down. */
  update(down: readonly DownService[], nowMs: number): void
  /** What may be claimed as usual; the same list until something changes. */
  types(): readonly string[]
  /** Whether types are left out. */
  leavesOut(): boolean
  /**
   * Types, one job of which is to be claimed now to find out whether the service they all need is back. Usually none: only when its next probe is
   * due, none is under way, and this worker has not just tried.
   */
  scout(nowMs: number): readonly string[]
  /** How many jobs that found. */
  scouted(found: number, nowMs: number): void
  /** Whether {@link scout} would name types. */
  mayScout(nowMs: number): boolean
}

interface Closed {
  probing: boolean
  /** When its next probe is due. */
  dueAtMs: number
}

/** The types of these handlers that cannot do without some service, and which. */
export function servicesByType(handlers: ReadonlyMap<string, Handler>): ReadonlyMap<string, readonly string[]> {
  return new Map([...handlers].flatMap(([type, { services = [] }]) => (services.length > 0 ? [[type, services] as const] : [])))
}

/** @param needs see {@link servicesByType}; the other `types` need none. */
export function createServiceGate(types: readonly string[], needs: ReadonlyMap<string, readonly string[]>): ServiceGate {
  let closed = new Map<string, Closed>()
  let open = types
  /** Until when this worker does not try a service again. */
  const quietUntilMs = new Map<string, number>()
  let scouting: string | undefined

  const isDue = (service: string, nowMs: number) => {
    const known = closed.get(service)
    return known === undefined || (!known.probing && known.dueAtMs <= nowMs)
  }
  /** Whoever needs it, and no other service that is down and not due itself. */
  const scoutsFor = (service: string, nowMs: number) =>
    types.filter((type) => needs.get(type)?.includes(service) && needs.get(type)?.every((each) => isDue(each, nowMs)))

  function next(nowMs: number): { service: string; scouts: string[] } | undefined {
    for (const service of closed.keys()) {
      if ((quietUntilMs.get(service) ?? 0) > nowMs) continue
      const scouts = scoutsFor(service, nowMs)
      if (isDue(service, nowMs) && scouts.length > 0) return { service, scouts }
    }
    return undefined
  }

  return {
    update(down, nowMs) {
      closed = new Map(down.map(({ service, probing, waitMs }) => [service, { probing, dueAtMs: nowMs + waitMs }]))
      for (const service of quietUntilMs.keys()) if (!closed.has(service)) quietUntilMs.delete(service)
      const left = types.filter((type) => !needs.get(type)?.some((service) => closed.has(service)))
      open = left.length === types.length ? types : left
    },
    types: () => open,
    leavesOut: () => open !== types,
    scout(nowMs) {
      const found = next(nowMs)
      scouting = found?.service
      if (found) quietUntilMs.set(found.service, nowMs + afterScoutMs)
      return found?.scouts ?? []
    },
    scouted(found, nowMs) {
      if (found === 0 && scouting !== undefined) quietUntilMs.set(scouting, nowMs + afterNothingMs)
    },
    mayScout: (nowMs) => next(nowMs) !== undefined,
  }
}
