import type { ErrorDescription } from '../errors/describe-error.ts'
import { type DownService, findDownServices } from '../queue/find-down-services.ts'
import { type Repetition, repeat } from './repeat.ts'
import type { Runtime } from './runtime.ts'
import { createServiceGate, type ServiceGate, servicesByType } from './service-gate.ts'

/** Whoever opens or closes a breaker notifies; this is the net underneath, also where nobody listens. */
const intervalMs = 2_000

/** Which types may be claimed while services are down; see {@link ServiceGate}. */
export interface ServiceWatch extends Repetition {
  types(): readonly string[]
  leavesOut(): boolean
  /** Types, one job of which is to be claimed now to find out whether their service is back. */
  scout(): readonly string[]
  /** How many jobs that found. */
  scouted(found: number): void
  /** Some breaker has changed. */
  soon(): void
}

/** What of the services that these handlers need is down. Nothing is asked when they need none. */
export async function readDownServices({ queue, settings }: Pick<Runtime, 'queue' | 'settings'>): Promise<DownService[]> {
  return findDownServices(queue, serviceNames(servicesByType(settings.handlers)))
}

/**
 * Keeps up with the services that the worker's types cannot do without. A worker whose types need none asks nothing.
 * @param down what was down before the first claim.
 * @param wake called when there may be work: a service is back, or is to be tried.
 */
export function startServiceWatch(runtime: Runtime, down: readonly DownService[], wake: () => void): ServiceWatch {
  const { queue, settings } = runtime
  const types = [...settings.handlers.keys()]
  const needs = servicesByType(settings.handlers)
  const names = serviceNames(needs)
  const gate = createServiceGate(types, needs)
  if (names.length === 0) return { ...gate, scout: () => [], scouted: () => {}, soon: () => {}, stop: async () => {} }
  const teller = createTeller(runtime, needs)
  gate.update(down, performance.now())
  const watch = repeat(
    intervalMs,
    async () => {
      const found = await findDownServices(queue, names)
      const before = gate.types().length
      gate.update(found, performance.now())
      teller.tell(found)
      if (gate.types().length > before || gate.mayScout(performance.now())) wake()
    },
    // The claim loop reports a database that is away.
    () => {},
  )
  watch.soon()
  return {
    types: gate.types,
    leavesOut: gate.leavesOut,
    scout: () => gate.scout(performance.now()),
    scouted: (found) => gate.scouted(found, performance.now()),
    soon: watch.soon,
    stop: watch.stop,
  }
}

function serviceNames(needs: ReadonlyMap<string, readonly string[]>): string[] {
  return [...new Set([...needs.values()].flat())].toSorted()
}

/** Tells what went down and what is back, once each. */
function createTeller({ emit }: Runtime, needs: ReadonlyMap<string, readonly string[]>) {
  /** What is down, as this worker knows it: since when, by the database's clock and by this process'. */
  const told = new Map<string, { since: number; beganAtMs: number }>()
  const jobTypes = (service: string) => [...needs].flatMap(([type, services]) => (services.includes(service) ? [type] : []))
  return {
    tell(down: readonly DownService[]) {
      const nowMs = performance.now()
      for (const [service, { since, beganAtMs }] of told) {
        if (down.some((each) => each.service === service && each.since.getTime() === since)) continue
        told.delete(service)
        emit({ name: 'service.back', service, afterMs: nowMs - beganAtMs, jobTypes: jobTypes(service) })
      }
      for (const { service, since, downMs, waitMs, ...failure } of down) {
        if (told.has(service)) continue
        told.set(service, { since: since.getTime(), beganAtMs: nowMs - downMs })
        emit({ name: 'service.down', service, since, error: describe(failure), probeInMs: waitMs, jobTypes: jobTypes(service) })
      }
    },
  }
}

function describe({ code, message }: Pick<DownService, 'code' | 'message'>): ErrorDescription {
  return { code, message: message ?? 'It did not say why.', stack: null }
}
