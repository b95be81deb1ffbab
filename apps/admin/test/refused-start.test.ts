import { beforeAll, describe, expect, test } from 'vitest'
import { buildApp } from './support/build-app.ts'
import { ORIGIN, refusedStart } from './support/start-app.ts'

const kari = '5a1de11a-0000-4000-8000-00000000000a'

beforeAll(buildApp, 120_000)

describe('without an origin that can be right the server does not start', () => {
  const users = JSON.stringify([{ name: 'Kari', userId: kari }])
  const good = { ADMIN_ORIGIN: ORIGIN, ADMIN_DEMO_PUBLIC: '1', DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none', ADMIN_DEMO_USERS: users }
  test.each([
    [{ ADMIN_ORIGIN: '' }, 'ADMIN_ORIGIN is not set.'],
    [{ ADMIN_ORIGIN: 'https://admin.example.org/jobs' }, 'without a path'],
    [{ ADMIN_ORIGIN: 'http://admin.example.org' }, 'Sessions need https'],
    [{ HOST_HEADER: 'x-forwarded-host' }, 'HOST_HEADER is set.'],
    [{ ORIGIN: 'https://other.example.org' }, 'ORIGIN is set, and is not the same as ADMIN_ORIGIN.'],
    [{ DATABASE_URL: '' }, 'DATABASE_URL'],
    [{ ADMIN_DEMO_PUBLIC: '' }, 'each of them could sign in, without a password'],
    [{ ADMIN_DEMO_USERS: 'Kari' }, 'ADMIN_DEMO_USERS'],
  ])('%o', async (change, text) => {
    const { code, stderr } = await refusedStart({ ...good, ...change })
    expect(stderr).toContain(text)
    expect(code).toBe(2)
  })
})
