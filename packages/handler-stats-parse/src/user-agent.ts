import { type UserAgentKind, userAgentTable } from './user-agent-table.ts'

/** What a user agent is counted as. */
export interface Agent {
  /** The name counts are kept under; `unknown` when it is missing or in no list. */
  app: string
  kind: UserAgentKind | 'unknown'
}

const UNKNOWN: Agent = { app: 'unknown', kind: 'unknown' }
const MOST_REMEMBERED = 10_000
const LONGEST_LOOKED_AT = 512

/** Tells what a user agent is, from the table: its first entry that fits. */
export function classifyUserAgent(userAgent: string | undefined): Agent {
  if (userAgent === undefined) return UNKNOWN
  const text = userAgent.slice(0, LONGEST_LOOKED_AT)
  const entry = userAgentTable.find(([, , pattern]) => pattern.test(text))
  return entry ? { app: entry[0], kind: entry[1] } : UNKNOWN
}

/** The same with a memory, for one run: logs repeat few user agents very often. */
export function createClassifier(): typeof classifyUserAgent {
  const known = new Map<string | undefined, Agent>()
  return (userAgent) => {
    let agent = known.get(userAgent)
    if (agent === undefined) {
      if (known.size >= MOST_REMEMBERED) known.clear()
      agent = classifyUserAgent(userAgent)
      known.set(userAgent, agent)
    }
    return agent
  }
}
