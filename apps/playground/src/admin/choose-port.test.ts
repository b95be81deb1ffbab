import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, test } from 'vitest'
import { choosePort } from './choose-port.ts'

test('a port that was asked for is taken, or refused when another program has it', async () => {
  const port = await choosePort(0)
  expect(port).toBeGreaterThan(0)
  const other = createServer().listen(port, '127.0.0.1')
  await once(other, 'listening')
  await expect(choosePort(port)).rejects.toMatchObject({
    code: 'PORT_TAKEN',
    message: expect.stringContaining(`Port ${port} of 127.0.0.1`),
  })
  other.close()
})

test('without one it is the next free one from 3000 on', async () => {
  const first = await choosePort(undefined)
  const other = createServer().listen(first, '127.0.0.1')
  await once(other, 'listening')
  const second = await choosePort(undefined)
  expect((other.address() as AddressInfo).port).toBe(first)
  expect(first).toBeGreaterThanOrEqual(3000)
  expect(second).toBeGreaterThan(first)
  expect(second).toBeLessThan(3020)
  other.close()
})
