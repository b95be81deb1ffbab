import type { ResultPart, ResultSession, ResultView, UserSession } from '@sidelinja/jobs-core/admin'

/** How long a view may take with all its statements, of which each has two seconds. */
const defaultLimitMs = 4_000

/** A view took longer than it may. */
export class ViewTooSlowError extends Error {
  override name = 'ViewTooSlowError'
}

/** Runs a view within its bound. What it still does afterwards finds its transaction over, and its signal aborted. */
export async function readView(
  view: ResultView,
  { trx }: Pick<UserSession, 'trx'>,
  job: ResultSession['job'],
  limitMs = defaultLimitMs,
): Promise<readonly ResultPart[]> {
  const over = new AbortController()
  const late = new Promise<never>((_, reject) => {
    const error = new ViewTooSlowError(
      `The view of ${view.type} took longer than ${limitMs} ms; read less in it, by statements with a limit.`,
    )
    const timer = setTimeout(() => reject(error), limitMs)
    over.signal.addEventListener('abort', () => clearTimeout(timer), { once: true })
  })
  try {
    return await Promise.race([view.read({ db: trx, job, signal: over.signal }), late])
  } finally {
    over.abort()
  }
}
