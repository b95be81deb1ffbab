const marker = Symbol.for('@sidelinja/jobs-core/error')

/** What the queue does about an error; see docs/errors.md. */
export type JobsErrorKind = 'configuration' | 'permanent' | 'transient' | 'queue' | 'snooze'

/**
 * Base of every error this project throws on purpose. Packages are bundled apart, so two copies of this class may be loaded at
 * once: recognise errors with {@link isJobsError}, never with `instanceof`.
 */
export class JobsError extends Error {
  /** Stable, documented in docs/errors.md, `UPPER_SNAKE_CASE`. */
  readonly code: string
  readonly kind: JobsErrorKind

  constructor(kind: JobsErrorKind, code: string, message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.code = code
    this.kind = kind
    Object.defineProperty(this, marker, { value: true })
  }
}

/** True for errors of this project, whichever copy of the package made them; with `kind`, only for that kind. Never throws. */
export function isJobsError(error: unknown, kind?: JobsErrorKind): error is JobsError {
  try {
    if (typeof error !== 'object' || error === null || !(marker in error)) return false
    return kind === undefined || (error as { kind?: unknown }).kind === kind
  } catch {
    // A proxy that does not let itself be looked at.
    return false
  }
}
