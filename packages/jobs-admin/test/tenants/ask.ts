import type { TestAdmin, TestUser } from '../support.ts'
import { maySee, type World } from './model.ts'
import type { Random } from './random.ts'

/** Which walls stand: both · only the statements' own filters · only row-level security · none. */
export type Walls = 'both' | 'filters' | 'rows' | 'none'

/** A run of the fuzz: what is there, and what was found. */
export interface Fuzz {
  admin: TestAdmin
  world: World
  random: Random
  walls: Walls
  /** Answers that held what the user may not see. */
  leaks: string[]
  /** Answers that differ from what the oracle knows. */
  wrong: string[]
  /** What was asked in this step, for the report. */
  trail: string
}

export interface Answer {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked at by what they hold
  body: any
}

export interface Request {
  user: TestUser | null
  path: string
  /** Posted to that intention. */
  intention?: string
  body?: unknown
  /** Further text the user may have back. */
  own?: string
}

/** Asks, and looks for what the user may not see. */
export async function ask(fuzz: Fuzz, { user, path, intention, body, own = '' }: Request): Promise<Answer> {
  const asked = intention === undefined ? `GET ${path}` : `POST ${intention} ${JSON.stringify(body)}`
  fuzz.trail = `${user ? `user ${fuzz.world.users.indexOf(user)}` : 'nobody'}: ${asked}`
  const response = intention === undefined ? await fuzz.admin.get(user, path) : await fuzz.admin.post(user, intention, body)
  const text = await response.text()
  const seen = `${[...response.headers].flat().join('\n')}\n${text}\n${openedCursor(text)}`
  for (const leak of leaksIn(fuzz.world, seen, { user, known: decodeURIComponent(`${asked} ${own}`) }))
    fuzz.leaks.push(`${fuzz.trail} → ${leak}`)
  if (response.status >= 500) fuzz.wrong.push(`${fuzz.trail} → ${response.status} ${text}`)
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
}

/** Notes what is not as it should be. */
export function expectSame(fuzz: Fuzz, what: string, [got, expected]: readonly [unknown, unknown]): void {
  const [left, right] = [JSON.stringify(got), JSON.stringify(expected)]
  if (left !== right) fuzz.wrong.push(`${fuzz.trail}: ${what}: got ${left?.slice(0, 600)}, expected ${right?.slice(0, 600)}`)
}

interface Reader {
  user: TestUser | null
  /** What the user said themselves. */
  known: string
  /** Collections they may have seen beside those of now. */
  also?: ReadonlySet<string>
}

/** Canaries and ids in a text that are not this user's to see, and did not come from them. */
export function leaksIn(world: World, text: string, { user, known, also }: Reader): string[] {
  const mine = (collection: string | undefined) =>
    collection !== undefined && user !== null && (maySee(world, user, collection) || also?.has(collection) === true)
  const found = new Set<string>()
  for (const [canary, kind, number] of text.matchAll(/canary(?:([cu])(\d+)|hidden|host|service)x/g)) {
    if (known.includes(canary)) continue
    const own = kind === 'c' ? mine(world.collections[Number(number)]) : kind === 'u' && user === world.users[Number(number)]
    if (!own) found.add(canary)
  }
  for (const [id] of text.matchAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g)) {
    if (world.ownerOf.has(id) && !mine(world.ownerOf.get(id)) && !known.toLowerCase().includes(id)) found.add(id)
  }
  return [...found]
}

/** A cursor is a text that holds an id. */
function openedCursor(text: string): string {
  const cursor = /"next_cursor":"([\w-]+)"/.exec(text)?.[1]
  return cursor === undefined ? '' : Buffer.from(cursor, 'base64url').toString()
}
