/** The same promise, but for no longer than `ms`; then it fails as a connection that is dead does. What was begun goes on. */
export async function within<T>(ms: number, promise: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(Object.assign(new Error(`No answer within ${ms} ms.`), { code: 'ETIMEDOUT' })), ms)
  try {
    return await Promise.race([promise, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
