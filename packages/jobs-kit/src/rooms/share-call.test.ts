import { expect, test } from 'vitest'
import { shareCall } from './share-call.ts'

const never = new AbortController().signal

function byHand() {
  const calls: { signal: AbortSignal; resolve: (value: string) => void; reject: (error: unknown) => void }[] = []
  const share = shareCall((signal) => {
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    calls.push({ signal, resolve, reject })
    return promise
  })
  return { calls, share }
}

test('all who ask while it is under way get its result', async () => {
  const { calls, share } = byHand()
  const asked = [share(never), share(never), share(never)]
  calls[0]?.resolve('a')
  expect(await Promise.all(asked)).toEqual(['a', 'a', 'a'])
  expect(calls).toHaveLength(1)
  const next = share(never)
  calls[1]?.resolve('b')
  expect(await next).toBe('b')
})

test('a failure is everybody’s, and not remembered', async () => {
  const { calls, share } = byHand()
  const asked = [share(never), share(never)]
  calls[0]?.reject(new Error('no'))
  for (const promise of asked) await expect(promise).rejects.toThrow('no')
  void share(never)
  expect(calls).toHaveLength(2)
})

test('one who leaves does not take it from the others', async () => {
  const { calls, share } = byHand()
  const leave = new AbortController()
  const leaving = share(leave.signal)
  const staying = share(never)
  leave.abort(new Error('cancelled'))
  await expect(leaving).rejects.toThrow('cancelled')
  expect(calls[0]?.signal.aborted).toBe(false)
  calls[0]?.resolve('a')
  expect(await staying).toBe('a')
})

test('it ends when the last has left, and the next begins anew', async () => {
  const { calls, share } = byHand()
  const leave = new AbortController()
  const leaving = share(leave.signal)
  leave.abort(new Error('cancelled'))
  await expect(leaving).rejects.toThrow('cancelled')
  expect(calls[0]?.signal.aborted).toBe(true)
  const next = share(never)
  expect(calls).toHaveLength(2)
  calls[1]?.resolve('b')
  expect(await next).toBe('b')
})

test('who has left already asks for nothing', async () => {
  const { calls, share } = byHand()
  await expect(share(AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone')
  expect(calls).toHaveLength(0)
})
