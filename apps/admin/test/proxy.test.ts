import type { IncomingMessage } from 'node:http'
import { createTestDatabase, insertJob, insertNode, type TestDatabase } from '@sidelinja/jobs-core/testing'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { type Ask, createAsk, open, type Reach } from './support/ask.ts'
import { buildApp } from './support/build-app.ts'
import { type Caddy, startCaddy } from './support/caddy.ts'
import { freePort } from './support/free-port.ts'
import { type App, startApp } from './support/start-app.ts'
import { createWebLogin, type WebLogin } from './support/web-login.ts'

// What the page needs of the connection, through a proxy that ends TLS and without one: the application as it is deployed, a real Caddy.

const caddyProgram = inject('caddy')
if (!caddyProgram) console.log('not run: 8 tests, needs caddy')

const kari = '5a1de11a-0000-4000-8000-00000000000a'
const missingJob = '00000000-0000-4000-8000-00000000dead'
const SITE = 'admin.example.org'
/** Caddy passes this one to a server that believes to be another. */
const WRONG_SITE = 'wrong.example.org'

interface Deployment {
  origin: string
  reach: Reach
  ask: Ask
}

let database: TestDatabase
let login: WebLogin
let collectionNodeId: string
let caddy: Caddy | undefined
const apps: App[] = []
const deployments: Record<string, Deployment> = {}
let misconfigured: App

beforeAll(async () => {
  database = await createTestDatabase(inject('server'))
  login = await createWebLogin(database)
  await buildApp()
  collectionNodeId = (await insertNode(database.db, { title: 'Podkasten' })).id
  await database.pool.query('insert into node_access (user_id, node_id, role) values ($1, $2, $3)', [kari, collectionNodeId, 'owner'])
  const port = await freePort()
  const origin = `http://localhost:${port}`
  await start({ ADMIN_ORIGIN: origin, PORT: String(port), ADMIN_DEMO_PUBLIC: '' })
  deploy('on plain http', origin, { port, host: `localhost:${port}` })
  if (caddyProgram) await startBehindCaddy(caddyProgram)
}, 120_000)
afterAll(async () => {
  await caddy?.stop()
  await Promise.all(apps.map((app) => app.stop()))
  await login?.drop()
  await database?.drop()
})

async function startBehindCaddy(program: string): Promise<void> {
  const right = await start({ ADMIN_ORIGIN: `https://${SITE}` })
  misconfigured = await start({ ADMIN_ORIGIN: 'https://jobs.example.org' })
  caddy = await startCaddy(program, { [SITE]: right.port, [WRONG_SITE]: misconfigured.port })
  deploy('behind Caddy', `https://${SITE}`, { port: caddy.httpsPort, host: SITE, ca: caddy.ca })
}

describe.each([
  { name: 'on plain http', isSecure: false, runs: true },
  { name: 'behind Caddy', isSecure: true, runs: caddyProgram !== null },
])('$name', ({ name, isSecure, runs }) => {
  const here = () => deployments[name] as Deployment

  test.runIf(runs)('somebody signs in, with a cookie of this connection', async () => {
    const { origin, ask } = here()
    expect((await ask('/', { headers: { accept: 'text/html' } })).text).toContain('Logg inn')
    const answer = await signIn(here())
    expect([answer.status, new URL(answer.headers.location ?? '', origin).href]).toEqual([303, `${origin}/`])
    const [set = ''] = answer.headers['set-cookie'] ?? []
    expect(set).toMatch(isSecure ? /^__Host-sidelinja-admin=[\w-]{43}; / : /^sidelinja-admin=[\w-]{43}; /)
    const attributes = set
      .split('; ')
      .slice(1)
      .map((attribute) => attribute.toLowerCase())
    expect(attributes).toEqual(expect.arrayContaining(['path=/', 'httponly', 'samesite=lax']))
    expect(attributes.includes('secure')).toBe(isSecure)
    expect(attributes.some((attribute) => attribute.startsWith('domain'))).toBe(false)
    const cookie = set.split(';')[0] ?? ''
    expect((await ask('/', { headers: { accept: 'text/html', cookie } })).text).toContain('Hei, Kari')
    expect(await ask('/admin/jobs', { headers: { accept: 'text/html', cookie } })).toMatchObject({ status: 200 })
  })

  test.runIf(runs)('a job is retried by the form, and by JSON', async () => {
    const { ask } = here()
    const cookie = await cookieOf(here())
    const [byForm, byJson] = [await failedJob(), await failedJob()]
    const body = new URLSearchParams({ job_id: byForm }).toString()
    const form = await ask(`/admin/jobs/${byForm}?/retry`, { method: 'POST', headers: { ...formOf(here()), cookie }, body })
    expect(form.status).toBe(200)
    expect(form.text).toContain('Jobben prøves på nytt.')
    const intention = await retry(here(), cookie, byJson)
    expect([intention.status, JSON.parse(intention.text)]).toEqual([200, { job_id: byJson, status: 'pending' }])
    expect(await statusesOf([byForm, byJson])).toEqual(['pending', 'pending'])
  })

  test.runIf(runs)('events come when they happen, while the stream is open', async () => {
    const cookie = await cookieOf(here())
    const id = await failedJob()
    const stream = await open(here().reach, `/admin/jobs/events?ids=${id}`, { headers: { cookie, accept: 'text/event-stream' } })
    expect([stream.statusCode, stream.headers['content-type']]).toEqual([200, 'text/event-stream'])
    const seen = readEvents(stream)
    await seen('"listening":true')
    expect((await retry(here(), cookie, id)).status).toBe(200)
    await seen(`event: jobs\ndata: {"changed":["${id}"]`)
    expect(stream.readableEnded).toBe(false)
    stream.destroy()
  })

  test.runIf(runs)('redirects lead to the same origin', async () => {
    const { origin, ask } = here()
    for (const path of ['/admin/jobs', '/episodes/new', '/episodes/new/', '/admin/jobs/']) {
      const { status, headers } = await ask(path, {
        headers: { accept: 'text/html', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http' },
      })
      expect([303, 307, 308]).toContain(status)
      expect(new URL(headers.location ?? '', origin).origin).toBe(origin)
    }
  })

  test.runIf(runs)('headers that a client forges change neither who is foreign nor who is not', async () => {
    const { origin, ask } = here()
    const cookie = await cookieOf(here())
    const evil = 'evil.example'
    const forged = {
      ...{ 'x-forwarded-host': evil, 'x-forwarded-proto': isSecure ? 'http' : 'https', 'x-forwarded-port': '444' },
      ...{ forwarded: `host=${evil};proto=http`, 'x-admin-host': evil, 'x-admin-protocol': 'http', 'x-real-ip': '10.0.0.1' },
    }
    for (const site of [{}, { 'sec-fetch-site': 'same-origin' }]) {
      const foreign = { ...forged, ...site, cookie, origin: `https://${evil}` }
      const json = { ...foreign, 'content-type': 'application/json' }
      expect(await ask('/intentions/retry_job', { method: 'POST', headers: json, body: `{"job_id":"${missingJob}"}` })).toMatchObject({
        status: 403,
      })
      const form = { ...foreign, 'content-type': 'application/x-www-form-urlencoded' }
      expect(await ask('/?/signOut', { method: 'POST', headers: form, body: '' })).toMatchObject({ status: 403 })
    }
    const own = { ...formOf(here()), ...forged }
    expect(
      await ask('/intentions/retry_job', {
        method: 'POST',
        headers: { ...own, cookie, 'content-type': 'application/json' },
        body: `{"job_id":"${missingJob}"}`,
      }),
    ).toMatchObject({ status: 404 })
    const again = await ask('/?/signIn', { method: 'POST', headers: own, body: `userId=${kari}` })
    expect(new URL(again.headers.location ?? '', origin).href).toBe(`${origin}/`)
    expect(/; secure/i.test(again.headers['set-cookie']?.[0] ?? '')).toBe(isSecure)
  })
})

describe.skipIf(!caddyProgram)('Caddy', () => {
  test('sends who comes by http to https, and gets nothing more out of http', async () => {
    const { httpPort = 0, httpsPort = 0 } = caddy ?? {}
    const byHttp = await createAsk({ port: httpPort, host: SITE })('/admin/jobs?status=error')
    expect([byHttp.status, byHttp.headers.location, byHttp.headers['set-cookie']]).toEqual([
      308,
      `https://${SITE}/admin/jobs?status=error`,
      undefined,
    ])
    const mixedUp = await createAsk({ port: httpsPort, host: SITE })('/')
    expect([mixedUp.status, mixedUp.text]).toEqual([400, 'Client sent an HTTP request to an HTTPS server.\n'])
  })

  test.each([
    ['a form', 'application/x-www-form-urlencoded', '/?/signIn', `userId=${kari}`],
    ['JSON', 'application/json', '/intentions/retry_job', `{"job_id":"${missingJob}"}`],
  ])('before a server whose ADMIN_ORIGIN is another: %s is refused, with both addresses', async (_, type, path, body) => {
    const ask = createAsk({ port: caddy?.httpsPort ?? 0, host: WRONG_SITE, ca: caddy?.ca ?? '' })
    const origin = `https://${WRONG_SITE}`
    const headers = { origin, 'sec-fetch-site': 'same-origin', 'content-type': type, accept: 'text/html' }
    const answer = await ask(path, { method: 'POST', headers, body })
    expect([answer.status, answer.headers['set-cookie']]).toEqual([403, undefined])
    expect(answer.text).toContain(`du bruker adressen "${origin}", men serveren er satt opp for https://jobs.example.org (ADMIN_ORIGIN)`)
    const line = `A page at "${origin}" was refused: ADMIN_ORIGIN is https://jobs.example.org. If browsers use the former, set ADMIN_ORIGIN to it.`
    await vi.waitFor(() => expect(misconfigured.stderr()).toContain(line))
  })
})

async function start(env: Record<string, string>): Promise<App> {
  const app = await startApp({
    DATABASE_URL: login.connectionString,
    ADMIN_DEMO_USERS: JSON.stringify([{ name: 'Kari', userId: kari }]),
    ...env,
  })
  apps.push(app)
  return app
}

function deploy(name: string, origin: string, reach: Reach): void {
  deployments[name] = { origin, reach, ask: createAsk(reach) }
}

/** What a form of the page sends, from where browsers have it. */
function formOf({ origin }: Deployment) {
  return { origin, 'sec-fetch-site': 'same-origin', 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' }
}

function signIn(deployment: Deployment) {
  return deployment.ask('/?/signIn', { method: 'POST', headers: formOf(deployment), body: `userId=${kari}` })
}

async function cookieOf(deployment: Deployment): Promise<string> {
  return (await signIn(deployment)).headers['set-cookie']?.[0]?.split(';')[0] ?? ''
}

function retry(deployment: Deployment, cookie: string, jobId: string) {
  const headers = { ...formOf(deployment), cookie, 'content-type': 'application/json' }
  return deployment.ask('/intentions/retry_job', { method: 'POST', headers, body: JSON.stringify({ job_id: jobId }) })
}

async function failedJob(): Promise<string> {
  return (await insertJob(database.db, { collection_node_id: collectionNodeId, status: 'error' })).id
}

async function statusesOf(ids: string[]): Promise<string[]> {
  return (await database.pool.query('select status from job_queue where id = any ($1::uuid[])', [ids])).rows.map(({ status }) => status)
}

/** Waits until a text has come; fails if the stream ends before. */
function readEvents(stream: IncomingMessage): (text: string) => Promise<void> {
  const chunks = stream.setEncoding('utf8').iterator({ destroyOnReturn: false })
  let come = ''
  return async (text) => {
    while (!come.includes(text)) {
      const { value, done } = await chunks.next()
      if (done) throw new Error(`The stream has ended before ${text}: ${come}`)
      come += value
    }
  }
}
