import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openAdminDatabase, readAccess } from '@sidelinja/jobs-core/admin'
import { expect, test } from 'vitest'
import { databaseTrouble } from './database-trouble.ts'

test('a server that is not there behind a unix socket is away', async () => {
  const database = openAdminDatabase({ connection: { host: join(tmpdir(), 'no-server-here'), user: 'anybody', database: 'any' } })
  try {
    const error: unknown = await readAccess(database.db).catch((reason: unknown) => reason)
    expect([(error as NodeJS.ErrnoException).code, databaseTrouble(error)]).toEqual(['ENOENT', 'away'])
  } finally {
    await database.close()
  }
})

test.each([
  ['53100', 'away'],
  ['53300', 'away'],
  ['57P03', 'away'],
  ['08001', 'away'],
  ['25006', 'away'],
  ['57014', 'too slow'],
  ['40P01', 'busy'],
  ['58030', undefined],
  ['ENOENT', undefined],
  ['23505', undefined],
])('%s is %s', (code, trouble) => {
  expect(databaseTrouble(Object.assign(new Error('x'), { code }))).toBe(trouble)
})
