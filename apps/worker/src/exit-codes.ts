/** What the process ends with; documented in the README and in --help. */
export const EXIT = {
  /** Done, or stopped as asked. */
  ok: 0,
  /** Something failed, or a third signal ended the worker at once. */
  failed: 1,
  /** Wrong command line, environment or set-up: the same command fails again until that is changed. */
  usage: 2,
  /** `migrate` only: the database cannot be reached. `start` waits for it instead. */
  unreachable: 5,
} as const
