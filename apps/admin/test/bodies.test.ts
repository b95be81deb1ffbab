import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { createTestDatabase, type TestDatabase } from '@sidelinja/jobs-core/testing'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { buildApp } from './support/build-app.ts'
import { type App, ORIGIN, startApp } from './support/start-app.ts'

// Over a real connection: an answer that a web server cuts off looks the same from inside.

const kari = '5a1de11a-0000-4000-8000-00000000000a'
const json = { 'content-type': 'application/json', origin: ORIGIN, 'sec-fetch-site': 'same-origin' }
let database: TestDatabase
let app: App
let cookie: string

beforeAll(async () => {
  database = await createTestDatabase(inject('server'))
  await buildApp()
  app = await startApp({ DATABASE_URL: database.connectionString, ADMIN_DEMO_USERS: JSON.stringify([{ name: 'Kari', userId: kari }]) })
  cookie = await app.signIn(kari)
}, 120_000)
afterAll(async () => {
  await app?.stop()
  await database?.drop()
})

describe('a body that is too much, or does not come', () => {
  const begin = (headers: Record<string, string>) =>
    request({
      host: '127.0.0.1',
      port: app.port,
      method: 'POST',
      path: '/intentions/retry_job',
      headers: { host: 'admin.example.org', cookie, ...json, ...headers },
    })

  test('is answered, also where nobody said how long it is', async () => {
    const sent = begin({ 'transfer-encoding': 'chunked' })
    sent.on('error', () => {})
    const answered = once(sent, 'response') as Promise<[IncomingMessage]>
    for (let count = 0; count < 40; count++) sent.write('x'.repeat(8_192))
    const [answer] = await answered
    expect(answer.statusCode).toBe(413)
    expect(answer.headers['content-type']).toBe('application/problem+json')
    sent.destroy()
  })

  test('late is answered as late', async () => {
    const sent = begin({ 'content-length': '50' })
    sent.on('error', () => {})
    sent.write('{')
    const [answer] = (await once(sent, 'response')) as [IncomingMessage]
    expect(answer.statusCode).toBe(408)
    sent.destroy()
  })
})
