import { listJobs, readCountedAt, readJobStates } from '@sidelinja/jobs-core/admin'
import { readIds, refuseUnknown } from '../read-query.ts'
import { defineRoute, type RouteContext } from '../route.ts'
import type { EventStream } from '../stream/event-stream.ts'
import { reading } from '../user-session.ts'

/** A page that is looked at sees a change within about this. */
const lookEveryMs = 1_000

/**
 * `GET {base}/events?ids=<uuid>,<uuid>`: server-sent events that say only what is to be read again. `jobs` with the ids, of those named, that have changed or
 * are gone; `new` when there is a newer job; `counts` when there is a newer count; `listening` with whether changes are told at once or must be polled for. Each look is
 * made as the user, so that who loses access hears of nothing any more.
 */
export const watchEvents = defineRoute({
  method: 'GET',
  under: 'base',
  path: '/events',
  right: 'view',
  run: (context) => {
    refuseUnknown(context.query, ['ids'])
    const ids = readIds(context.query)
    return context.openStream((stream) => watch(context, ids, stream))
  },
})

interface Seen {
  versions: ReadonlyMap<string, string>
  newest: string | null
  countedAt: number | null
}

async function watch(context: RouteContext, ids: readonly string[], stream: EventStream): Promise<() => void> {
  let seen = await look(context, ids)
  let looking = false
  let again = false
  let timer: NodeJS.Timeout | undefined
  let told = context.changes.listening

  const next = async () => {
    if (looking || stream.signal.aborted) return
    looking = true
    again = false
    if (told !== context.changes.listening) {
      told = context.changes.listening
      stream.send({ event: 'listening', data: { listening: told } })
    }
    try {
      const now = await look(context, ids)
      for (const event of differences(seen, now)) stream.send(event)
      seen = now
    } catch (error) {
      context.report(error)
    }
    timer = setTimeout(() => {
      looking = false
      if (again) void next()
    }, lookEveryMs)
  }
  stream.send({ event: 'listening', data: { listening: told } })
  const stop = context.changes.subscribe(() => {
    again = true
    void next()
  })
  return () => {
    clearTimeout(timer)
    stop()
  }
}

async function look(context: RouteContext, ids: readonly string[]): Promise<Seen> {
  return reading(context, async ({ trx, scope }) => {
    const states = await readJobStates(trx, ids, scope)
    const { jobs } = await listJobs(trx, scope, { limit: 1 })
    const countedAt = await readCountedAt(trx)
    return {
      versions: new Map(states.map(({ id, version }) => [id, version])),
      newest: jobs[0]?.id ?? null,
      countedAt: countedAt?.getTime() ?? null,
    }
  })
}

function differences(before: Seen, now: Seen) {
  const gone = [...before.versions.keys()].filter((id) => !now.versions.has(id))
  const changed = [...now.versions].filter(([id, version]) => before.versions.get(id) !== version).map(([id]) => id)
  return [
    ...(changed.length + gone.length > 0 ? [{ event: 'jobs', data: { changed, gone } }] : []),
    ...(now.newest !== before.newest && now.newest !== null ? [{ event: 'new', data: {} }] : []),
    ...(now.countedAt !== before.countedAt ? [{ event: 'counts', data: {} }] : []),
  ]
}
