import type { TestUser } from '../support.ts'
import { type Fuzz, leaksIn } from './ask.ts'

/** An open event stream, listened to while other steps go on. */
export interface Listener {
  user: TestUser
  ids: string[]
  /** Collections they had at any time since it was opened. */
  had: Set<string>
  text: string
  closeAfter: number
  stop: AbortController
}

export async function openListener(fuzz: Fuzz, user: TestUser, step: number): Promise<Listener> {
  const ids = Array.from({ length: 8 }, () => fuzz.random.pick(fuzz.world.jobs).id)
  const stop = new AbortController()
  const response = await fuzz.admin.send(user, `/admin/jobs/events?ids=${ids.join(',')}`, { signal: stop.signal })
  const listener = { user, ids, had: new Set<string>(), text: '', closeAfter: step + 20 + fuzz.random.int(60), stop }
  rememberAccess(fuzz, [listener])
  void collect(listener, response)
  return listener
}

async function collect(listener: Listener, { body }: Response): Promise<void> {
  const decoder = new TextDecoder()
  try {
    for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) listener.text += decoder.decode(chunk, { stream: true })
  } catch {
    // It was closed.
  }
}

/** What they have now, they may hear of. */
export function rememberAccess({ world }: Fuzz, listeners: readonly Listener[]): void {
  for (const { user, had } of listeners) for (const collection of world.access.get(user.userId)?.keys() ?? []) had.add(collection)
}

/** Closes it. It must have said nothing of jobs that were never the user's: not even that ids they named have changed. */
export function closeListener(fuzz: Fuzz, { user, ids, had, text, stop }: Listener): void {
  stop.abort()
  const foreign = leaksIn(fuzz.world, text, { user, known: '', also: had })
  for (const leak of foreign) fuzz.leaks.push(`events of user ${fuzz.world.users.indexOf(user)} (${ids.length} ids) → ${leak}`)
}
