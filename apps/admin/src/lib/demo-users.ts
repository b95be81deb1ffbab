import { z } from 'zod'

const right = z.enum(['view', 'act', 'view_raw'])
const demoUser = z.strictObject({
  /** What the page shows. */
  name: z.string().min(1).max(100),
  /** As in `node_access`. */
  userId: z.guid(),
  /** Default: see jobs and act on them. */
  rights: z.array(right).default(['view', 'act']),
})

/** Somebody whom whoever reaches the server may be. */
export type DemoUser = z.infer<typeof demoUser>

const users = z.array(demoUser).min(1).max(100)

/**
 * Reads ADMIN_DEMO_USERS: `[{ "name": "Kari", "userId": "<uuid>", "rights": ["view", "act"] }]`. Not set: nobody.
 * @throws Error with what was expected
 */
export function parseDemoUsers(value: string | undefined): DemoUser[] {
  if (!value) return []
  const parsed = users.safeParse(parseJson(value))
  if (parsed.success && new Set(parsed.data.map(({ userId }) => userId)).size === parsed.data.length) return parsed.data
  const issues = parsed.error?.issues.map(({ path, message }) => [...path.map(String), message].join(': ')) ?? [
    'two users have the same userId',
  ]
  throw new Error(`Expected JSON like [{ "name": "Kari", "userId": "5a1de11a-0000-4000-8000-000000000003" }]; ${issues.join('; ')}.`)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
