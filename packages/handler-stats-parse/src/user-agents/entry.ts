/** What a user agent is: counted under its name (`app`, `browser`, `library`), or left out (`bot`, `watch`). */
export type UserAgentKind = 'app' | 'browser' | 'library' | 'bot' | 'watch'

/** Name, kind and what its user agents look like. */
export type UserAgentEntry = readonly [name: string, kind: UserAgentKind, pattern: RegExp]

/** The tables in the order in which they are asked; the first entry that fits decides. */
export const groups = ['watches', 'bots', 'apps', 'libraries', 'browsers'] as const

export type UserAgentGroup = (typeof groups)[number]

/** What a user agent is counted as. */
export interface Agent {
  /** The name counts are kept under; `unknown` when it is missing or in no list. */
  app: string
  kind: UserAgentKind | 'unknown'
}
