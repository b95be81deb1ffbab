import { createTestDatabase, insertNode, type TestDatabase } from '@sidelinja/jobs-core/testing'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { open } from './support/ask.ts'
import { buildApp } from './support/build-app.ts'
import { type App, FORM, startApp } from './support/start-app.ts'
import { createWebLogin, type WebLogin } from './support/web-login.ts'

// As a browser without JavaScript uses them, on a database where the application may do no more than it must.

const kari = '5a1de11a-0000-4000-8000-00000000000a'
const ola = '5a1de11a-0000-4000-8000-00000000000b'

let database: TestDatabase
let login: WebLogin
let app: App
let podcast: string
let foreign: string
let readOnly: string

beforeAll(async () => {
  database = await createTestDatabase(inject('server'))
  login = await createWebLogin(database)
  await buildApp()
  ;[podcast, foreign, readOnly] = (await Promise.all(
    ['Podkasten', 'Den andres', 'Bare lesing'].map(async (title) => (await insertNode(database.db, { title })).id),
  )) as [string, string, string]
  await allow(kari, podcast, 'owner')
  await allow(kari, readOnly, 'viewer')
  await allow(ola, foreign, 'editor')
  const users = [
    { name: 'Kari', userId: kari },
    { name: 'Ola', userId: ola, rights: ['act'] },
  ]
  app = await startApp({ DATABASE_URL: login.connectionString, ADMIN_DEMO_USERS: JSON.stringify(users) })
}, 120_000)
afterAll(async () => {
  await app?.stop()
  await login?.drop()
  await database?.drop()
})

describe('signing in', () => {
  test('gives a cookie that only this host sees, and signing out ends the session itself', async () => {
    const answer = await post('/?/signIn', { userId: kari })
    expect([answer.status, answer.headers.location]).toEqual([303, '/'])
    const [set = ''] = answer.headers['set-cookie'] ?? []
    expect(set).toMatch(/^__Host-sidelinja-admin=[\w-]{43}; /)
    for (const attribute of ['Path=/', 'HttpOnly', 'Secure', 'SameSite=Lax']) expect(set).toContain(attribute)
    const cookie = set.split(';')[0] ?? ''
    expect((await page('/', cookie)).text).toContain('Hei, Kari')
    expect((await post('/?/signOut', {}, cookie)).status).toBe(303)
    expect((await page('/', cookie)).text).not.toContain('Hei, Kari')
  })

  test('as somebody else begins another session', async () => {
    const first = await app.signIn(kari)
    const answer = await post('/?/signIn', { userId: ola }, first)
    expect(answer.headers['set-cookie']?.[0]).not.toContain(first)
    expect((await page('/', first)).text).not.toContain('Hei, ')
  })

  test('can be changed on each page, without scripts, and leads to no page of the one before', async () => {
    const cookie = await app.signIn(kari)
    for (const [path, from] of [
      ['/', 'start'],
      ['/admin/jobs', 'jobs'],
    ] as const) {
      const { text } = await page(path, cookie)
      const [form = ''] = /<form class="switch[\s\S]*?<\/form>/.exec(text) ?? []
      expect(form).toMatch(/^<form [^>]*method="POST" action="\/\?\/signIn"/)
      expect(form).toContain(`name="from" value="${from}"`)
      expect(
        [...form.matchAll(/<option value="([\w-]+)"( selected(="")?)?>(\w+)</g)].map(([, id, chosen, , name]) => [id, name, !!chosen]),
      ).toEqual([
        [kari, 'Kari', true],
        [ola, 'Ola', false],
      ])
    }
    for (const [from, location] of Object.entries({ jobs: '/admin/jobs', start: '/', 'https://evil.example': '/' })) {
      expect((await post('/?/signIn', { userId: ola, from }, cookie)).headers.location).toBe(location)
    }
  })

  test('as nobody who is on the list is refused', async () => {
    const answer = await post('/?/signIn', { userId: '5a1de11a-0000-4000-8000-0000000000ff' })
    expect(answer.status).toBe(400)
    expect(answer.text).toContain('Velg en bruker fra lista.')
    expect(answer.headers['set-cookie']).toBeUndefined()
  })

  test('is not possible where nobody said who there is', async () => {
    const closed = await startApp({ DATABASE_URL: login.connectionString })
    try {
      const { text } = await closed.ask('/', { headers: { accept: 'text/html' } })
      expect(text).toContain('Innlogging er ikke satt opp.')
      expect(text).not.toContain('<form')
      expect(await closed.signIn(kari)).toBe('')
      expect(await closed.ask('/admin/jobs', { headers: { accept: 'application/json' } })).toMatchObject({ status: 401 })
    } finally {
      expect(await closed.stop()).toBe(0)
    }
  })
})

describe('the page of jobs', () => {
  test('sends to the sign-in, and lets in who may see it', async () => {
    expect(await page('/admin/jobs')).toMatchObject({ status: 303, headers: { location: '/?from=jobs' } })
    expect((await page('/?from=jobs')).text).toContain('<input type="hidden" name="from" value="jobs"')
    const answer = await page('/admin/jobs', await app.signIn(ola))
    expect(answer.status).toBe(403)
    expect(answer.text).toContain('<h1>Du har ikke tilgang til dette</h1>')
  })
})

describe('the form of an episode', () => {
  const good = () => ({ title: 'Episode 1', audioPath: 'show/ep001.mp3', collectionNodeId: podcast, language: 'nb' })

  test('offers the collections that somebody may act in', async () => {
    const { text } = await page('/episodes/new', await app.signIn(kari))
    expect(text).toContain('Podkasten')
    expect(text).not.toMatch(/Den andres|Bare lesing/)
    expect(await page('/episodes/new')).toMatchObject({ status: 303, headers: { location: '/' } })
  })

  test('makes the episode and its job together', async () => {
    const answer = await post('/episodes/new', good(), await app.signIn(kari))
    expect(answer.status).toBe(200)
    expect(answer.text).toContain('Episoden er lagt inn')
    const { rows } = await database.pool.query(
      `select q.job_type, q.collection_node_id, q.payload - 'mediaNodeId' as payload, n.kind, n.title, e.kind as edge
       from job_queue q join nodes n on n.id = (q.payload ->> 'mediaNodeId')::uuid join edges e on e.target_id = n.id and e.source_id = $1`,
      [podcast],
    )
    expect(rows).toEqual([
      {
        job_type: 'whisper_transcribe',
        collection_node_id: podcast,
        payload: { audioPath: 'show/ep001.mp3', language: 'nb' },
        kind: 'episode',
        title: 'Episode 1',
        edge: 'contains',
      },
    ])
  })

  test('says what is wrong where it is wrong, keeps what was written, and writes nothing', async () => {
    const cookie = await app.signIn(kari)
    const before = await counts()
    const answer = await post('/episodes/new', { ...good(), title: '', audioPath: '../"><script>' }, cookie)
    expect(answer.status).toBe(400)
    expect(answer.text).toContain('id="title-problem"')
    expect(answer.text).toContain('id="audioPath-problem"')
    expect(answer.text).toContain('value="../&quot;>&lt;script>"')
    for (const collectionNodeId of [foreign, readOnly, 'x', '']) {
      const refused = await post('/episodes/new', { ...good(), collectionNodeId }, cookie)
      expect(refused.status).toBe(400)
      expect(refused.text).toContain('id="collectionNodeId-problem"')
    }
    expect((await post('/episodes/new', good())).headers.location).toBe('/')
    expect(await counts()).toEqual(before)
  })
})

test('the process stops when it is told to, and open streams with it', async () => {
  const other = await startApp({ DATABASE_URL: login.connectionString, ADMIN_DEMO_USERS: JSON.stringify([{ name: 'Kari', userId: kari }]) })
  const cookie = await other.signIn(kari)
  await other.ask('/episodes/new', { headers: { cookie } })
  const stream = await open(other, '/admin/jobs/events', { headers: { cookie, accept: 'text/event-stream' } })
  expect(stream.headers).toMatchObject({
    'content-type': 'text/event-stream',
    'x-accel-buffering': 'no',
    'x-content-type-options': 'nosniff',
  })
  const from = performance.now()
  const [text, code] = await Promise.all([stream.toArray().then((chunks) => Buffer.concat(chunks).toString()), other.stop()])
  expect(text).toMatch(/^retry: 5000\n\n/)
  expect(text).toContain('event: closed\ndata: {"reason":"server_stops"}\n\n')
  expect(code).toBe(0)
  // Less than Node keeps a connection open that nobody uses.
  expect(performance.now() - from).toBeLessThan(4_500)
})

function page(path: string, cookie = '') {
  return app.ask(path, { headers: { accept: 'text/html', cookie } })
}

function post(path: string, fields: Record<string, string>, cookie = '') {
  return app.ask(path, { method: 'POST', headers: { ...FORM, cookie }, body: new URLSearchParams(fields).toString() })
}

async function allow(userId: string, nodeId: string, role: string): Promise<void> {
  await database.pool.query('insert into node_access (user_id, node_id, role) values ($1, $2, $3)', [userId, nodeId, role])
}

async function counts() {
  return (await database.pool.query('select (select count(*) from nodes) as nodes, (select count(*) from job_queue) as jobs')).rows
}
