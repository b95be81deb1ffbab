/**
 * An error whose message is all the user needs: no stack is shown.
 *
 * @param {string} message
 */
export function expectedError(message) {
  return Object.assign(new Error(message), { expected: true })
}
