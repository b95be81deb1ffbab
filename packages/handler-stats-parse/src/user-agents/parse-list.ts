import { PermanentError } from '@sidelinja/jobs-core'
import { z } from 'zod'
import type { UserAgentEntry, UserAgentGroup } from './entry.ts'

const MOST_ENTRIES = 5000

const entry = z.object({ name: z.string().min(1).max(200), pattern: z.string().min(1).max(2000), category: z.string().max(200).optional() })
const list = z.object({ entries: z.array(z.unknown()).max(MOST_ENTRIES) })

/** Which entries a list holds when they do not say it themselves. */
const kinds = { watches: 'watch', bots: 'bot', apps: 'app', libraries: 'library', browsers: 'browser' } as const

/**
 * Reads a list of user agents in the runtime format of opawg/user-agents-v2: `{ "entries": [{ "name", "pattern", "category"? }] }`.
 * Other keys are ignored. A library of category `bot` is a bot.
 * @param path names the file in messages.
 * @throws PermanentError `USER_AGENT_LIST_INVALID`, which names the entry and what is wrong with it.
 */
export function parseList(path: string, group: UserAgentGroup, json: string): UserAgentEntry[] {
  const parsed = list.safeParse(parseJson(path, json))
  if (!parsed.success) throw invalid(path, `expected {"entries": […]} with at most ${MOST_ENTRIES} entries`)
  return parsed.data.entries.map((raw, index) => parseEntry(path, group, { raw, number: index + 1 }))
}

function parseEntry(path: string, group: UserAgentGroup, { raw, number }: { raw: unknown; number: number }): UserAgentEntry {
  const parsed = entry.safeParse(raw)
  const name = typeof raw === 'object' && raw !== null && 'name' in raw ? ` (${JSON.stringify(raw.name)?.slice(0, 60)})` : ''
  const where = `entry ${number}${name}`
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw invalid(path, `${where}: ${[...(issue?.path ?? []), issue?.message].join(' ')}`)
  }
  const { category } = parsed.data
  return [parsed.data.name, category === 'bot' ? 'bot' : kinds[group], compile(path, where, parsed.data.pattern)]
}

function compile(path: string, where: string, pattern: string): RegExp {
  try {
    return new RegExp(pattern)
  } catch (error) {
    throw invalid(path, `${where}: its pattern is no regular expression: ${(error as Error).message.slice(0, 200)}`)
  }
}

function parseJson(path: string, json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    throw invalid(path, 'it is not JSON')
  }
}

function invalid(path: string, problem: string): PermanentError {
  return new PermanentError(
    'USER_AGENT_LIST_INVALID',
    `The list of user agents ${JSON.stringify(path)} cannot be used: ${problem}. Correct the file, or take statistics.userAgentsPath out of the collection's settings; then retry the job.`,
  )
}
