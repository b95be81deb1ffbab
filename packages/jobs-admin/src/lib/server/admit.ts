import { ConfigurationError } from '@sidelinja/jobs-core'
import type { AdminEvent } from './admin-event.ts'
import { type BodyKind, foreignReader, isOriginMisconfigured, refusalOf } from './http/guard.ts'
import type { Problem } from './http/problem.ts'
import { type Inquiry, report } from './inquiry.ts'
import type { Identity } from './options.ts'
import type { Bucket, Right } from './route.ts'

/** Refuses what another site may have sent. The host is told where its own page is refused, since then its origin is set wrong. */
export function refuseForeign<Event extends AdminEvent>(inquiry: Inquiry<Event>, body: BodyKind): Problem | undefined {
  const { facts } = inquiry
  const refusal = refusalOf(facts, body) ?? (body === 'json' ? foreignReader(facts) : undefined)
  if (refusal?.status === 403 && isOriginMisconfigured(facts)) {
    const [theirs, ours] = [JSON.stringify(facts.headers.get('origin')?.slice(0, 200)), facts.ownOrigin]
    const message = `A page at ${theirs} posted to this server, which believes to be ${ours}. If that is its address: set the origin it is reached under.`
    report(inquiry, new ConfigurationError('ADMIN_ORIGIN_MISMATCH', message))
  }
  return refusal
}

/** Who asks, if they may. Closed whenever that cannot be told; only `identify` may throw, which says that the host is in trouble. */
export async function admit<Event extends AdminEvent>(inquiry: Inquiry<Event>, right: Right): Promise<Identity | Problem> {
  const identity = await inquiry.services.settings.identify(inquiry.event)
  if (!identity) return { status: 401, code: 'NOT_SIGNED_IN', detail: 'Nobody is signed in.' }
  if (typeof identity.userId !== 'string' || identity.userId === '') {
    throw new ConfigurationError('ADMIN_IDENTITY_INVALID', 'identify must give { userId } with a text that is not empty, or null.')
  }
  if (await isAuthorized(inquiry, identity, right)) return identity
  return {
    status: 403,
    code: 'NOT_ALLOWED',
    detail: `You do not have the right to ${right === 'view_raw' ? 'see unmasked data' : right}.`,
    right,
  }
}

/** False also when the host's answer is anything but true, or throws. */
export async function isAuthorized<Event extends AdminEvent>(inquiry: Inquiry<Event>, identity: Identity, right: Right): Promise<boolean> {
  try {
    return (await inquiry.services.settings.authorize(inquiry.event, identity, right)) === true
  } catch (error) {
    report(inquiry, error)
    return false
  }
}

/** Takes a token of the user's bucket. */
export function refuseTooMany<Event extends AdminEvent>(
  { services }: Inquiry<Event>,
  bucket: Bucket,
  { userId }: Identity,
): Problem | undefined {
  const retryAfterSeconds = services.limits[bucket].take(userId)
  if (retryAfterSeconds === undefined) return undefined
  const perMinute = services.settings.actionsPerMinute[bucket]
  return { status: 429, code: 'TOO_MANY_ACTIONS', detail: `At most ${perMinute} such actions a minute.`, retryAfterSeconds }
}

/** True for what stands in place of an identity. */
export function isProblem(value: object): value is Problem {
  return 'status' in value
}
