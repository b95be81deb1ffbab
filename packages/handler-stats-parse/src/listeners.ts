import type { ListenerGroup, SeenListener } from '@sidelinja/jobs-kit/storage'

/** One listener's day with one episode. */
export interface Listener {
  app: string
  /** Union of the bytes received: flat, start and end in turn. */
  ranges: number[]
  /** The file's size, when this listener's answers told it. */
  totalBytes: number | undefined
}

/** Which listener's day with which episode. */
export interface ListenerKey {
  day: string
  episode: string
  /** Cut: what of it tells listeners apart. */
  address: string
  userAgent: string
}

/** The listeners of one run, in as little memory as they need: there may be tens of thousands. */
export interface Listeners {
  readonly size: number
  /** The listener of this key; `make` makes one that was not seen before. */
  find(key: ListenerKey, make: () => Listener): Listener
  /** All of them, by day and episode; can be gone through more than once. */
  groups(): ListenerGroup[]
}

type Episodes = Map<string, Map<string, Listener>>

/** Makes an empty set of listeners. */
export function createListeners(): Listeners {
  const days = new Map<string, Episodes>()
  // Listeners are many, user agents few: each listener holds a number instead of the text.
  const numbers = new Map<string, number>()
  const userAgents: string[] = []
  let size = 0

  const numberOf = (userAgent: string): number => {
    const known = numbers.get(userAgent)
    if (known !== undefined) return known
    numbers.set(userAgent, userAgents.length)
    return userAgents.push(userAgent) - 1
  }

  return {
    get size() {
      return size
    },
    find({ day, episode, address, userAgent }, make) {
      const listeners = getOrAdd(getOrAdd(days, day, newMap<Episodes>), episode, newMap<Map<string, Listener>>)
      return getOrAdd(listeners, `${numberOf(userAgent)}|${address}`, () => {
        size++
        return make()
      })
    },
    groups: () =>
      [...days].flatMap(([day, episodes]) =>
        [...episodes].map(([episode, listeners]) => ({
          day,
          episode,
          listeners: { [Symbol.iterator]: () => seen(listeners, userAgents) },
        })),
      ),
  }
}

function* seen(listeners: ReadonlyMap<string, Listener>, userAgents: readonly string[]): Generator<SeenListener> {
  for (const [key, { app, ranges, totalBytes }] of listeners) {
    const bar = key.indexOf('|')
    yield { listener: `${key.slice(bar + 1)}|${userAgents[Number(key.slice(0, bar))]}`, app, ranges, totalBytes }
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
