import vm from 'node:vm'
import type { Agent, UserAgentEntry, UserAgentGroup } from './entry.ts'

/** Entries of a list that somebody else wrote, safe to use on user agents that anybody wrote. */
export interface UserAgentList {
  /** The first entry of each group that fits. */
  match(text: string): Partial<Record<UserAgentGroup, Agent>>
}

/** So long all patterns together may take on one user agent. One that is stopped twice in a row is left out from then on. */
const MOST_MS = 50

const script = new vm.Script(`(() => {
  const { patterns, groups, slow, found, text } = state
  for (; state.at < patterns.length; state.at++) {
    const { at } = state
    if (!(groups[at] in found) && !slow.has(at) && patterns[at].test(text)) found[groups[at]] = at
  }
})()`)

/**
 * A pattern can be written so that it takes hours on one text, and neither lists nor user agents are ours. So the patterns run under a
 * clock that stops them; what was stopped counts as no match, and is not tried again.
 * @param onSlow told the name of each entry that is left out.
 */
export function createUserAgentList(
  lists: readonly (readonly [UserAgentGroup, readonly UserAgentEntry[]])[],
  onSlow: (name: string) => void,
): UserAgentList {
  const entries = lists.flatMap(([group, list]) => list.map((entry) => ({ group, entry })))
  const state = {
    patterns: entries.map(({ entry }) => entry[2]),
    groups: entries.map(({ group }) => group),
    slow: new Set<number>(),
    found: {} as Partial<Record<UserAgentGroup, number>>,
    text: '',
    at: 0,
  }
  const context = vm.createContext({ state })
  return {
    match(text) {
      Object.assign(state, { text, found: {}, at: 0 })
      let suspect = -1
      while (!finishes(context)) {
        const name = entries[state.at]?.entry[0]
        // The clock ran out after the last pattern: the process itself was held up.
        if (name === undefined) break
        if (state.at === suspect) {
          state.slow.add(suspect)
          onSlow(name)
        }
        suspect = state.at
      }
      return toAgents(state.found, entries)
    },
  }
}

/** False when the pattern at `at` was stopped. */
function finishes(context: vm.Context): boolean {
  try {
    script.runInContext(context, { timeout: MOST_MS })
    return true
  } catch (error) {
    // Not `instanceof`: it may be an Error of the context's own.
    if ((error as { code?: unknown } | null)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return false
    throw error
  }
}

function toAgents(
  found: Partial<Record<UserAgentGroup, number>>,
  entries: readonly { entry: UserAgentEntry }[],
): Partial<Record<UserAgentGroup, Agent>> {
  const agents: Partial<Record<UserAgentGroup, Agent>> = {}
  for (const [group, index] of Object.entries(found) as [UserAgentGroup, number][]) {
    const [app, kind] = entries[index]?.entry ?? []
    if (app !== undefined && kind !== undefined) agents[group] = { app, kind }
  }
  return agents
}
