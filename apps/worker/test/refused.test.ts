import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inDatabase } from '@sidelinja/jobs-core/testing'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { spawnWorker } from './spawn-worker.ts'

// What waiting does not mend: a worker says so in a sentence and ends with 2, instead of trying for ever or showing a stack.

/** Every part of the process that connects: the worker itself, the services of a handler that needs the database at start, migrate. */
const light = join(import.meta.dirname, '../builds/worker-light/src/main.ts')
const starts: [string, string[], string | undefined][] = [
  ['a worker', ['start'], undefined],
  ["a worker's services", ['start', '--types', 'stats_parse'], light],
  ['migrate', ['migrate'], undefined],
]

describe.each(starts)('%s', (_name, args, main) => {
  const startOn = async (connectionString: string) => {
    const worker = spawnWorker(args, { DATABASE_URL: connectionString, LOG_ROOT: tmpdir(), NODE_NO_WARNINGS: '1' }, main)
    return { code: await worker.exited, errors: worker.errors(), output: worker.output() }
  }

  test('on a server without TLS where sslmode asks for it', async () => {
    const { code, errors } = await startOn(`postgres://user:hunter2@127.0.0.1:${port()}/db?sslmode=require`)
    expect([code, errors]).toEqual([2, expect.stringMatching(/^sidelinja-worker: .*The server does not support SSL connections\. .*\n$/)])
  })

  test('on a database that does not exist', async () => {
    const { code, errors } = await startOn(inDatabase(inject('server').connectionString, 'no_such_database'))
    expect([code, errors]).toEqual([2, expect.stringMatching(/^sidelinja-worker: .*database "no_such_database" does not exist\. .*\n$/)])
  })
})

let server: Server
/** A PostgreSQL without TLS, as far as a client gets that insists on it: it is asked for TLS, and answers N. */
beforeAll(async () => {
  server = createServer((socket) => socket.on('error', () => {}).once('data', () => socket.write('N'))).listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(() => server.close())
const port = () => (server.address() as AddressInfo).port
