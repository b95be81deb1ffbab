/** What the user did not get, in one sentence that says what to do. Its message is all that is shown. */
export class Refusal extends Error {
  override name = 'Refusal'
}
