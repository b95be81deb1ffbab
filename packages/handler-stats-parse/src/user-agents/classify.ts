import { apps } from './apps.ts'
import { bots, watches } from './bots.ts'
import { type Agent, groups, type UserAgentEntry, type UserAgentGroup } from './entry.ts'
import { browsers, libraries } from './players.ts'
import type { UserAgentList } from './user-agent-list.ts'

/** Tells what a user agent is. */
export type Classify = (userAgent: string | undefined) => Agent

/** Our own tables. */
export const builtIn: Readonly<Record<UserAgentGroup, readonly UserAgentEntry[]>> = { watches, bots, apps, libraries, browsers }

const UNKNOWN: Agent = { app: 'unknown', kind: 'unknown' }
const MOST_REMEMBERED = 10_000
const LONGEST_LOOKED_AT = 512

/**
 * Makes a classifier with a memory, for one run: logs repeat few user agents very often. Group by group the collection's own list is
 * asked first, then the built-in one.
 */
export function createClassifier(list?: UserAgentList): Classify {
  const known = new Map<string, Agent>()
  return (userAgent) => {
    if (userAgent === undefined) return UNKNOWN
    let agent = known.get(userAgent)
    if (agent === undefined) {
      if (known.size >= MOST_REMEMBERED) known.clear()
      agent = classify(userAgent.slice(0, LONGEST_LOOKED_AT), list)
      known.set(userAgent, agent)
    }
    return agent
  }
}

function classify(text: string, list: UserAgentList | undefined): Agent {
  const listed = list?.match(text)
  for (const group of groups) {
    const found = listed?.[group] ?? findIn(builtIn[group], text)
    if (found) return found
  }
  return UNKNOWN
}

function findIn(entries: readonly UserAgentEntry[], text: string): Agent | undefined {
  const entry = entries.find(([, , pattern]) => pattern.test(text))
  return entry && { app: entry[0], kind: entry[1] }
}
