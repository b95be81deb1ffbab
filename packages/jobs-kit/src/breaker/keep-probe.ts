import { renewServiceProbe } from '../storage/breakers/renew-service-probe.ts'
import type { StorageDatabase } from '../storage/storage-database.ts'

/** A third of the minute after which a silent probe is taken for dead. */
const renewEveryMs = 20_000
/** A call that hangs for ever must not keep all others waiting as long: then another probe may begin. */
const longestProbeMs = 3_600_000

/** Says again and again that a probe is alive, until the function that comes back is called. */
export function keepProbe(db: StorageDatabase, service: string, probe: string, everyMs = renewEveryMs): () => void {
  const begun = performance.now()
  const timer = setInterval(async () => {
    if (performance.now() - begun > longestProbeMs) return clearInterval(timer)
    // A database that is away takes the probe for dead in time.
    const alive = await renewServiceProbe(db, service, probe).catch(() => true)
    if (!alive) clearInterval(timer)
  }, everyMs)
  return () => clearInterval(timer)
}
