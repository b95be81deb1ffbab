/** The admin page could not be built or does not start: shown as it is. */
export class AdminFailedError extends Error {
  override readonly name = 'AdminFailedError'
}
