import { describe, expect, test } from 'vitest'
import { readServerSettings } from './server-settings.mjs'

const good = { ADMIN_ORIGIN: 'https://admin.example.org' }

describe('readServerSettings', () => {
  test('has an origin and defaults', () => {
    expect(readServerSettings(good)).toEqual({ settings: { origin: new URL('https://admin.example.org'), port: 3000, host: '0.0.0.0' } })
  })

  test.each(['http://localhost:3000', 'http://127.0.0.1:5173', 'http://[::1]:3000', 'https://admin.example.org:8443'])(
    'takes %s',
    (origin) => {
      expect(readServerSettings({ ADMIN_ORIGIN: origin })).toHaveProperty('settings')
    },
  )

  test.each([
    [{}, 'ADMIN_ORIGIN is not set.'],
    [{ ADMIN_ORIGIN: 'admin.example.org' }, 'ADMIN_ORIGIN is "admin.example.org". Expected'],
    [{ ADMIN_ORIGIN: 'https://admin.example.org/' }, 'without a path or a slash at its end'],
    [{ ADMIN_ORIGIN: 'https://admin.example.org/jobs' }, 'without a path'],
    [{ ADMIN_ORIGIN: 'https://user@admin.example.org' }, 'Expected'],
    [{ ADMIN_ORIGIN: 'HTTPS://Admin.example.org' }, 'Expected'],
    [{ ADMIN_ORIGIN: 'ws://admin.example.org' }, 'with http or https'],
    [{ ADMIN_ORIGIN: 'http://admin.example.org' }, 'Sessions need https'],
    [{ ...good, HOST_HEADER: 'x-forwarded-host' }, 'HOST_HEADER is set.'],
    [{ ...good, PROTOCOL_HEADER: 'x-forwarded-proto' }, 'PROTOCOL_HEADER is set.'],
    [{ ...good, ORIGIN: 'https://other.example.org' }, 'ORIGIN is set, and is not the same'],
    [{ ...good, ADMIN_DEMO_USERS: '[]' }, 'and ADMIN_ORIGIN is https://admin.example.org, where others'],
    [{ ...good, ADMIN_DEMO_USERS: '[]', ADMIN_DEMO_PUBLIC: 'yes' }, 'or set ADMIN_DEMO_PUBLIC=1'],
    [{ ADMIN_ORIGIN: 'http://localhost:3000', HOST: '0.0.0.0', ADMIN_DEMO_USERS: '[]' }, 'and HOST is 0.0.0.0, where others'],
    [{ ...good, PORT: '80a' }, 'PORT is "80a".'],
    [{ ...good, PORT: '70000' }, 'PORT is "70000".'],
  ])('%o is refused', (env, problem) => {
    const { problems } = readServerSettings(env) as { problems: string[] }
    expect(problems).toHaveLength(1)
    expect(problems[0]).toContain(problem)
  })

  test.each([
    { ADMIN_ORIGIN: 'http://localhost:3000', ADMIN_DEMO_USERS: '[]' },
    { ADMIN_ORIGIN: 'http://[::1]:3000', HOST: '::1', ADMIN_DEMO_USERS: '[]' },
    { ...good, ADMIN_DEMO_USERS: '[]', ADMIN_DEMO_PUBLIC: '1' },
    { ...good, ADMIN_DEMO_USERS: '' },
  ])('%o is taken: demo users where nobody else comes, where it was meant, or none', (env) => {
    expect(readServerSettings(env)).toHaveProperty('settings')
  })

  test.each([
    ['http://localhost:3000', '127.0.0.1'],
    ['http://[::1]:3000', '::1'],
    ['https://admin.example.org', '0.0.0.0'],
  ])('for %s it listens on %s, unless told otherwise', (origin, host) => {
    expect(readServerSettings({ ADMIN_ORIGIN: origin })).toMatchObject({ settings: { host } })
    expect(readServerSettings({ ADMIN_ORIGIN: origin, HOST: '10.0.0.1' })).toMatchObject({ settings: { host: '10.0.0.1' } })
  })

  test('says all at once', () => {
    expect(readServerSettings({ PORT: 'x', HOST_HEADER: 'y' })).toMatchObject({ problems: { length: 3 } })
  })
})
