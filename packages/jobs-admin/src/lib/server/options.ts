import { ConfigurationError } from '@sidelinja/jobs-core'
import type { ResultView } from '@sidelinja/jobs-core/admin'
import type { AdminDatabase } from './admin-database.ts'
import type { AdminEvent } from './admin-event.ts'
import { problemForError } from './http/problem-for-error.ts'
import type { Mounts } from './match-route.ts'
import type { ResultViews } from './results/result-views.ts'
import type { Bucket, Right } from './route.ts'
import type { StreamLimits } from './stream/stream-limit.ts'

/** Who asks. */
export interface Identity {
  /** The user as `node_access` knows them. */
  readonly userId: string
}

/** How often a user may act, in actions a minute; counted in this process. */
export interface ActionLimits {
  /** Retry or cancel one job. Default 30. */
  single?: number
  /** Actions about many jobs. Default 5. */
  bulk?: number
}

/** How the admin page is mounted. Nothing is open by omission: the first three have no default. */
export interface JobsAdminOptions<Event extends AdminEvent = AdminEvent> {
  /** The database, as the statements of `@sidelinja/jobs-core/admin` take it. */
  database: AdminDatabase
  /** Who asks, from the host's own session; null when nobody is signed in. */
  identify: (event: Event) => Identity | null | Promise<Identity | null>
  /** Whether they may. Which jobs they may see is decided by `node_access`, not here. Throwing means no. */
  authorize: (event: Event, identity: Identity, right: Right) => boolean | Promise<boolean>
  /** Where the page lies, with the host's base path. Default `/admin/jobs`. */
  base?: string
  /** Where actions are posted. Default `/intentions`. */
  intentions?: string
  /** Where somebody is sent who opens the page without a session: a path of this host. Default: they get a 401 with a page that says so. */
  signIn?: string
  /** The origin under which browsers reach this host. Default: the event's `url.origin`; set it where that comes from headers a client can send. */
  origin?: string
  /** Is told of every error whose answer does not say what it was, with the id the answer holds. Default: `console.error`. */
  onError?: (error: unknown, context: { correlationId: string; event: Event }) => void
  /** See {@link ActionLimits}. */
  actionsPerMinute?: ActionLimits
  /** See {@link StreamLimits}. */
  streams?: StreamLimits
  /** How results of finished jobs are drawn: the `./view` of handler packages, one a job type. Default: none, results are shown as data. */
  results?: readonly ResultView[]
}

/** Options with their defaults. */
export type Settings<Event extends AdminEvent> = Omit<JobsAdminOptions<Event>, 'results'> &
  Required<Pick<JobsAdminOptions<Event>, 'onError'>> & { mounts: Mounts; actionsPerMinute: Record<Bucket, number>; results: ResultViews }

/** Steps for each bulk action of a minute. A step takes a second or two, so that one page never comes near the sum. */
const stepsPerBulk = 12
/** Each reads up to fifty pages. */
const exportsPerMinute = 5

const required = ['database', 'identify', 'authorize'] as const
const known = new Set([...required, 'base', 'intentions', 'signIn', 'origin', 'onError', 'actionsPerMinute', 'streams', 'results'])

/**
 * Checks what TypeScript cannot, and what JavaScript callers forget.
 * @throws ConfigurationError `ADMIN_OPTION_MISSING`, `ADMIN_OPTION_INVALID`
 */
export function checkOptions<Event extends AdminEvent>(options: JobsAdminOptions<Event>): Settings<Event> {
  refuseMissing(options)
  for (const name of Object.keys(options)) if (!known.has(name)) refuse(name, `is not known; known are ${[...known].join(', ')}`)
  for (const name of ['identify', 'authorize'] as const) if (typeof options[name] !== 'function') refuse(name, 'must be a function')
  if (options.onError !== undefined && typeof options.onError !== 'function') refuse('onError', 'must be a function')
  const { single = 30, bulk = 5 } = options.actionsPerMinute ?? {}
  for (const limit of [single, bulk, options.streams?.perUser ?? 1, options.streams?.perProcess ?? 1]) {
    if (!Number.isInteger(limit) || limit < 1) refuse('actionsPerMinute or streams', `must be whole numbers from 1, got ${limit}`)
  }
  return {
    ...options,
    onError: options.onError ?? logError,
    mounts: mountsOf(options.base ?? '/admin/jobs', options.intentions ?? '/intentions'),
    actionsPerMinute: { single, bulk, step: stepsPerBulk * bulk, export: exportsPerMinute },
    results: viewsByType(options.results ?? []),
    ...(options.signIn !== undefined && { signIn: ownPath(options.signIn, options.base ?? '/admin/jobs') }),
    ...(options.origin !== undefined && { origin: checkOrigin(options.origin) }),
  }
}

function refuseMissing(options: object): void {
  const missing = required.filter((name) => (options as Record<string, unknown> | undefined)?.[name] == null)
  if (missing.length === 0) return
  throw new ConfigurationError(
    'ADMIN_OPTION_MISSING',
    `jobsAdmin needs ${missing.join(', ')}: the page is closed unless the host says who asks and what they may do.`,
  )
}

function viewsByType(views: readonly ResultView[]): ResultViews {
  const byType = new Map<string, ResultView>()
  for (const view of views) {
    if (typeof view?.type !== 'string' || typeof view.read !== 'function')
      refuse('results', 'must be a list of what defineResultView gives')
    if (byType.has(view.type)) refuse('results', `must have one view a job type, got two of ${view.type}`)
    byType.set(view.type, view)
  }
  return byType
}

function mountsOf(base: string, intentions: string): Mounts {
  const mounts = { base: path('base', base), intentions: path('intentions', intentions) }
  if (`${intentions}/`.startsWith(`${base}/`) || `${base}/`.startsWith(`${intentions}/`)) {
    refuse('intentions', `must lie apart from base, got ${intentions} and ${base}`)
  }
  return mounts
}

function path(name: string, value: string): string {
  if (/^(\/[\w.~-]+)+$/.test(value)) return value
  return refuse(name, `must be a path like /admin/jobs, got ${JSON.stringify(value)}`)
}

/** A redirect that leads out of the host would be a gift to whoever can choose it; one that leads below the page would never end. */
function ownPath(value: string, base: string): string {
  if (value === base || value.startsWith(`${base}/`)) refuse('signIn', `must not lie below ${base}, where nobody gets without a session`)
  if (/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(value)) return value
  return refuse('signIn', `must be a path of this host, like /signin, got ${JSON.stringify(value)}`)
}

function checkOrigin(value: string): string {
  if (URL.canParse(value) && new URL(value).origin === value && /^https?:/.test(value)) return value
  return refuse('origin', `must be an origin like https://admin.example.org, without a path, got ${JSON.stringify(value)}`)
}

function refuse(name: string, problem: string): never {
  throw new ConfigurationError('ADMIN_OPTION_INVALID', `${name} ${problem}.`)
}

function logError(error: unknown, { correlationId }: { correlationId: string }): void {
  const known = problemForError(error, correlationId)
  // An outage fails every request: where the error comes from is known, and the same each time.
  const text = known.code === 'INTERNAL' ? error : `${known.code}: ${lineOf(error)}`
  // biome-ignore lint/suspicious/noConsole: without a place of the host's own, an error must still be found somewhere.
  console.error(`jobs-admin ${correlationId}:`, text)
}

/** What an error says, in one line. What has several causes, as a server with several addresses, may have no message of its own. */
function lineOf(error: unknown): string {
  const { message, code } = (error ?? {}) as { message?: unknown; code?: unknown }
  return String(message || code || error).replace(/\s+/g, ' ')
}
