import type { ListenerGroup, SeenListener } from '@sidelinja/jobs-kit/storage'
import { createRangeUnions } from './range-unions.ts'

/** What one request tells of a listener. */
export interface Received {
  day: string
  episode: string
  /** Cut: what of it tells listeners apart. */
  address: string
  userAgent: string
  app: string
  /** Start and end in turn. */
  ranges: readonly number[]
  /** The file's size, when the answer told it. */
  totalBytes: number | undefined
}

/** The listeners of one run, by day and episode; in as little memory as they need, for there may be tens of thousands. */
export interface Listeners {
  readonly size: number
  /** Merges what a request has brought into its listener's day with the episode. */
  add(received: Received): void
  groups(): ListenerGroup[]
}

/** Numbers of listeners, by user agent's number and address. */
type Numbers = Map<string, number>

/** Makes an empty set of listeners. A listener is a number and a place in some lists, not an object. */
export function createListeners(): Listeners {
  const days = new Map<string, Map<string, Numbers>>()
  const apps: string[] = []
  const totals: number[] = []
  const unions = createRangeUnions()
  // Listeners are many, user agents few: each listener's key holds a number instead of the text.
  const userAgents = new Map<string, number>()

  const at = (id: number): SeenListener => ({ app: apps[id] ?? '', ranges: unions.get(id), totalBytes: totals[id] || undefined })

  return {
    get size() {
      return apps.length
    },
    add({ day, episode, address, userAgent, app, ranges, totalBytes }) {
      const numbers = getOrAdd(getOrAdd(days, day, newMap<Map<string, Numbers>>), episode, newMap<Numbers>)
      const agent = getOrAdd(userAgents, userAgent, () => userAgents.size)
      const id = getOrAdd(numbers, `${agent}|${address}`, () => apps.push(app) - 1)
      for (let index = 0; index < ranges.length; index += 2) unions.add(id, ranges[index] ?? 0, ranges[index + 1] ?? 0)
      totals[id] = totalBytes ?? totals[id] ?? 0
    },
    groups() {
      const texts = [...userAgents.keys()]
      return [...days].flatMap(([day, episodes]) =>
        [...episodes].map(([episode, numbers]) => toGroup(day, episode, { numbers, texts, at })),
      )
    },
  }
}

interface GroupSource {
  numbers: Numbers
  /** User agents, by number. */
  texts: readonly string[]
  at: (id: number) => SeenListener
}

function toGroup(day: string, episode: string, { numbers, texts, at }: GroupSource): ListenerGroup {
  const ids = Uint32Array.from(numbers.values())
  return { day, episode, size: ids.length, names: () => namesOf(numbers, texts), at: (position) => at(ids[position] ?? 0) }
}

function* namesOf(numbers: Numbers, texts: readonly string[]): Generator<string> {
  for (const key of numbers.keys()) {
    const bar = key.indexOf('|')
    yield `${key.slice(bar + 1)}|${texts[Number(key.slice(0, bar))]}`
  }
}

const newMap = <T>() => new Map() as T

function getOrAdd<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let value = map.get(key)
  if (value === undefined) {
    value = make()
    map.set(key, value)
  }
  return value
}
