import { createTestDatabase, insertJob, insertNode, type TestDatabase } from '@sidelinja/jobs-core/testing'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { buildApp } from './support/build-app.ts'
import { type App, FORM, ORIGIN, startApp } from './support/start-app.ts'

// The application as it is deployed: SvelteKit's own check is off in development.

const kari = '5a1de11a-0000-4000-8000-00000000000a'
const missingJob = '00000000-0000-4000-8000-00000000dead'
const intentions = ['/intentions/retry_job', '/intentions/cancel_job']
const json = { 'content-type': 'application/json', origin: ORIGIN, 'sec-fetch-site': 'same-origin' }

let database: TestDatabase
let app: App
let cookie: string
let collectionNodeId: string
let failedJob: string

beforeAll(async () => {
  database = await createTestDatabase(inject('server'))
  await buildApp()
  collectionNodeId = (await insertNode(database.db, { title: 'Podkasten' })).id
  await database.pool.query('insert into node_access (user_id, node_id, role) values ($1, $2, $3)', [kari, collectionNodeId, 'owner'])
  failedJob = (await insertJob(database.db, { collection_node_id: collectionNodeId, status: 'error' })).id
  app = await startApp({ DATABASE_URL: database.connectionString, ADMIN_DEMO_USERS: JSON.stringify([{ name: 'Kari', userId: kari }]) })
  cookie = await app.signIn(kari)
}, 120_000)
afterAll(async () => {
  await app?.stop()
  await database?.drop()
})

describe('actions from another site', () => {
  const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
  const contentTypes = [
    'application/json',
    'text/plain',
    'TEXT/PLAIN; x',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json-patch+json',
    'application/csp-report',
    null,
  ]
  const senders: Record<string, Record<string, string>> = {
    nobody: {},
    'cross-site': { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
    'same-site': { origin: 'https://other.example.org', 'sec-fetch-site': 'same-site' },
    'same-origin': { origin: ORIGIN, 'sec-fetch-site': 'same-origin' },
    null: { origin: 'null' },
  }

  test.each(intentions)('of 200 requests to %s one passes, and the job is as it was', async (path) => {
    const before = await rowOf(failedJob)
    const passed: string[] = []
    for (const method of methods) {
      for (const contentType of contentTypes) {
        for (const [sender, headers] of Object.entries(senders)) {
          const passes = method === 'POST' && contentType === 'application/json' && sender === 'same-origin'
          const answer = await app.ask(path, {
            method,
            headers: { ...headers, cookie, ...(contentType !== null && { 'content-type': contentType }) },
            // The one that passes asks for a job that is not there; all others for one that is.
            ...(method !== 'GET' && { body: JSON.stringify({ job_id: passes ? missingJob : failedJob }) }),
          })
          if (![403, 405, 415].includes(answer.status)) passed.push(`${method} ${contentType} ${sender}: ${answer.status}`)
        }
      }
    }
    expect(passed).toEqual(['POST application/json same-origin: 404'])
    expect(await rowOf(failedJob)).toEqual(before)
  })

  test.each(intentions)('%s: a job that is not there is a problem', async (path) => {
    const answer = await app.ask(path, { method: 'POST', headers: { ...json, cookie }, body: JSON.stringify({ job_id: missingJob }) })
    expect(answer.status).toBe(404)
    expect(answer.headers['content-type']).toBe('application/problem+json')
    expect(JSON.parse(answer.text)).toMatchObject({ status: 404, code: 'JOB_NOT_FOUND' })
  })

  // What a page of another site can make a browser send, with the session's cookie as the worst case.
  test.each(intentions)('forms and fetches without CORS to %s', async (path) => {
    const body = `{"job_id":"${failedJob}","x":"="}`
    const elsewhere = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site', cookie }
    const multipart = `--x\r\ncontent-disposition: form-data; name="job_id"\r\n\r\n${failedJob}\r\n--x--\r\n`
    const before = await rowOf(failedJob)
    const requests = [
      { method: 'POST', headers: { ...elsewhere, 'content-type': 'text/plain', 'sec-fetch-mode': 'navigate' }, body },
      { method: 'POST', headers: { ...elsewhere, 'content-type': 'application/x-www-form-urlencoded' }, body: `job_id=${failedJob}` },
      { method: 'POST', headers: { ...elsewhere, 'content-type': 'multipart/form-data; boundary=x' }, body: multipart },
      { method: 'POST', headers: { ...elsewhere, 'content-type': 'TEXT/PLAIN; x' }, body },
      { method: 'POST', headers: { ...elsewhere, 'content-type': 'text/plain;charset=UTF-8', 'sec-fetch-mode': 'no-cors' }, body },
      { method: 'POST', headers: { origin: 'null', cookie, 'content-type': 'text/plain' }, body },
      { method: 'POST', headers: { origin: 'null', cookie, 'content-type': 'application/json' }, body },
      { method: 'POST', headers: { cookie, 'content-type': 'text/plain' }, body },
      { method: 'GET', headers: { ...elsewhere, origin: '' } },
      { method: 'HEAD', headers: { ...elsewhere, origin: '' } },
      { method: 'OPTIONS', headers: { ...elsewhere, 'access-control-request-method': 'POST' } },
    ]
    for (const question of requests) {
      const answer = await app.ask(`${path}?job_id=${failedJob}`, question)
      expect([403, 405, 415]).toContain(answer.status)
      expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([])
    }
    expect(await rowOf(failedJob)).toEqual(before)
  })
})

test('what our own page sends is done', async () => {
  const job = (await insertJob(database.db, { collection_node_id: collectionNodeId, status: 'error' })).id
  for (const [path, status] of [
    ['/intentions/retry_job', 'pending'],
    ['/intentions/cancel_job', 'cancelled'],
  ] as const) {
    const answer = await app.ask(path, { method: 'POST', headers: { ...json, cookie }, body: JSON.stringify({ job_id: job }) })
    expect([answer.status, answer.text]).toEqual([200, expect.any(String)])
    expect(await rowOf(job)).toMatchObject([{ status }])
  }
})

describe('headers that a client can forge', () => {
  const evil = 'evil.example'
  const forged = {
    host: evil,
    'x-forwarded-host': evil,
    'x-forwarded-proto': 'https',
    'x-forwarded-port': '443',
    forwarded: `host=${evil};proto=https`,
    'x-admin-host': evil,
    'x-admin-protocol': 'https',
    'x-original-host': evil,
  }

  test('do not make another origin ours', async () => {
    for (const site of [{}, { 'sec-fetch-site': 'same-origin' }]) {
      for (const type of ['application/json', 'application/x-www-form-urlencoded']) {
        const headers = { ...forged, ...site, origin: `https://${evil}`, 'content-type': type, cookie }
        const answer = await app.ask('/intentions/retry_job', { method: 'POST', headers, body: JSON.stringify({ job_id: missingJob }) })
        expect(answer.status).toBe(403)
        const form = await app.ask('/?/signOut', { method: 'POST', headers, body: '' })
        expect([403, 415]).toContain(form.status)
      }
    }
    expect((await app.ask('/', { headers: { cookie } })).text).toContain('Hei, Kari')
  })

  test('nor ours another’s: behind a proxy that changes Host, buttons work', async () => {
    const headers = { ...json, cookie, host: '127.0.0.1:3000', 'x-forwarded-proto': 'http' }
    const answer = await app.ask('/intentions/retry_job', { method: 'POST', headers, body: JSON.stringify({ job_id: missingJob }) })
    expect(answer.status).toBe(404)
  })

  test('a target with a host in it leads nowhere', async () => {
    for (const path of ['http://evil.example/admin/jobs', 'https://evil.example/']) expect((await app.ask(path)).status).toBe(400)
  })

  test('an address that is set wrong is said in words, to who uses it and in the log', async () => {
    const headers = { ...FORM, cookie, origin: 'https://jobs.example.org' }
    const answer = await app.ask('/?/signOut', { method: 'POST', headers, body: '' })
    expect(answer.status).toBe(403)
    expect(answer.text).toContain('ADMIN_ORIGIN')
    const line = 'A page at "https://jobs.example.org" was refused: ADMIN_ORIGIN is https://admin.example.org.'
    await vi.waitFor(() => expect(app.stderr()).toContain(line))
  })
})

describe('headers of answers', () => {
  test.each(['/', '/admin/jobs', '/episodes/new'])('%s: scripts by nonce, nothing inline, in no frame', async (path) => {
    const { headers, text } = await app.ask(path, { headers: { cookie, accept: 'text/html' } })
    const policy = String(headers['content-security-policy'])
    const [, nonce = ''] = /'nonce-([^']+)'/.exec(policy) ?? []
    expect(nonce).toHaveLength(24)
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    // But for one style attribute of SvelteKit's own, by its hash.
    expect(policy?.replace(/; style-src-attr 'unsafe-hashes' 'sha256-[\w+/]{43}=';/, ';')).not.toContain('unsafe')
    expect([...text.matchAll(/<script(?![^>]*nonce=)/g)]).toEqual([])
    expect(text).toContain(`nonce="${nonce}"`)
    expect(text).not.toMatch(/\son[a-z]+=|\sstyle=|<style/)
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'x-frame-options': 'DENY', 'referrer-policy': 'same-origin' })
  })

  test('the page of jobs is kept nowhere, and opened by no other', async () => {
    const { headers } = await app.ask('/admin/jobs', { headers: { cookie, accept: 'text/html' } })
    expect(headers).toMatchObject({ 'cross-origin-opener-policy': 'same-origin', 'cross-origin-resource-policy': 'same-origin' })
    expect(headers['cache-control']).toContain('no-store')
  })

  test('data is neither sniffed, embedded nor kept', async () => {
    const { headers } = await app.ask('/intentions/retry_job', { headers: { cookie } })
    expect(headers).toMatchObject({
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'cross-origin-resource-policy': 'same-origin',
      allow: 'POST',
    })
  })
})

async function rowOf(id: string) {
  return (await database.pool.query('select * from job_queue where id = $1', [id])).rows
}
