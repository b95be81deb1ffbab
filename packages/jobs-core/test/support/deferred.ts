export interface Deferred<T = void> {
  promise: Promise<T>
  resolve: (value: T) => void
}

/** A promise that the test resolves: what handlers wait for instead of sleeping. */
export function deferred<T = void>(): Deferred<T> {
  const { promise, resolve } = Promise.withResolvers<T>()
  return { promise, resolve }
}
