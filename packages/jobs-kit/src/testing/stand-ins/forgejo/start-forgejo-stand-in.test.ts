import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { blobSha } from './repositories.ts'
import { type ForgejoStandIn, startForgejoStandIn } from './start-forgejo-stand-in.ts'

const token = 'secret-token'
const repositories = {
  'sidelinja/podkast': { branches: { main: { 'README.md': '# Hei', 'a/b/c.srt': 'x' }, vern: {} }, protectedBranches: ['vern'] },
  'sidelinja/tom': {},
  'sidelinja/ny': { acceptsFirstCommit: true },
  'sidelinja/arkiv': { branches: { main: {} }, archived: true },
  'sidelinja/kvote': { branches: { main: {} }, quotaBytes: 3 },
}
let forgejo: ForgejoStandIn
beforeEach(async () => {
  forgejo = await startForgejoStandIn({ token, repositories })
})
afterEach(() => forgejo.close())

const base64 = (text: string) => Buffer.from(text).toString('base64')
const new1 = { content: base64('1'), message: 'm', branch: 'main' }
const readmeSha = blobSha(Buffer.from('# Hei'))

describe('Forgejo stand-in', () => {
  test('a blob’s name is git’s', () => {
    // git hash-object of "hello\n"
    expect(blobSha(Buffer.from('hello\n'))).toBe('ce013625030ba8dba906f756967f9e9ca394464a')
  })

  test('reads a file, lists a folder, and says what is not there', async () => {
    expect(await call('GET', 'README.md?ref=main')).toMatchObject({
      status: 200,
      body: { type: 'file', path: 'README.md', sha: readmeSha, encoding: 'base64', content: base64('# Hei'), size: 5 },
    })
    expect(await call('GET', 'a')).toMatchObject({ status: 200, body: [{ name: 'b', type: 'dir' }] })
    expect(await call('GET', 'nope')).toMatchObject({ status: 404, body: { message: "The target couldn't be found." } })
    expect(await call('GET', 'README.md?ref=nope')).toMatchObject({ status: 404 })
    expect(await call('GET', 'README.md', undefined, 'sidelinja/nope')).toMatchObject({ status: 404 })
    expect(await call('GET', 'README.md', undefined, 'sidelinja/tom')).toMatchObject({ status: 404 })
  })

  test('creates, decodes each part of the path, and keeps the commit', async () => {
    const created = await call('POST', 'Bl%C3%A5b%C3%A6r%201/%23%3F.srt', { ...new1, content: base64('æøå') })
    expect(created).toMatchObject({ status: 201, body: { content: { path: 'Blåbær 1/#?.srt', sha: blobSha(Buffer.from('æøå')) } } })
    expect(forgejo.readFile('sidelinja/podkast', 'main', 'Blåbær 1/#?.srt')).toBe('æøå')
    expect(forgejo.commits).toMatchObject([{ repository: 'sidelinja/podkast', branch: 'main', message: 'm' }])
  })

  test('updates with the blob it replaces', async () => {
    expect(await call('PUT', 'README.md', { ...new1, sha: readmeSha })).toMatchObject({ status: 200 })
    expect(forgejo.readFile('sidelinja/podkast', 'main', 'README.md')).toBe('1')
  })

  test.each([
    ['a stale sha', 'PUT', 'README.md', { ...new1, sha: 'f'.repeat(40) }, 422, /^sha does not match \[given: f+, expected: /],
    ['no sha', 'PUT', 'README.md', new1, 422, /SHA or commit ID/],
    ['a file that exists', 'POST', 'README.md', new1, 422, /already exists/],
    ['a bad path', 'POST', 'a/.git/b', new1, 422, /malformed/],
    ['a missing branch', 'POST', 'x', { ...new1, branch: 'nope' }, 404, /branch does not exist/],
    ['a protected branch', 'POST', 'x', { ...new1, branch: 'vern' }, 403, /cannot commit/],
    ['no content', 'POST', 'x', { message: 'm' }, 422, /content/],
    ['content that is not base64', 'POST', 'x', { ...new1, content: 'ø' }, 422, /base64/],
    ['a missing file', 'PUT', 'x', { ...new1, sha: readmeSha }, 404, /does not exist/],
  ])('refuses %s', async (_name, method, path, body, status, message) => {
    expect(await call(method, path, body)).toEqual({
      status,
      body: { message: expect.stringMatching(message), url: expect.any(String) },
    })
    expect(forgejo.commits).toEqual([])
  })

  test.each([
    ['an empty repository', 'sidelinja/tom', 422, /repo is empty/],
    ['an archived one', 'sidelinja/arkiv', 423, /archived/],
    ['one over its quota', 'sidelinja/kvote', 413, /quota/],
  ])('refuses to write to %s', async (_name, repository, status, message) => {
    const body = { ...new1, content: base64('long') }
    expect(await call('POST', 'x', body, repository)).toMatchObject({ status, body: { message: expect.stringMatching(message) } })
  })

  test('an empty repository may take its first commit', async () => {
    expect(await call('POST', 'x', new1, 'sidelinja/ny')).toMatchObject({ status: 201 })
  })

  test('empty content is allowed', async () => {
    expect(await call('POST', 'x', { ...new1, content: '' })).toMatchObject({ status: 201 })
  })

  test('a missing file on PUT: 500 by an older version', async () => {
    await using older = await startForgejoStandIn({ token, repositories, version: 'old-forgejo' })
    expect(await call('PUT', 'x', { ...new1, sha: readmeSha }, 'sidelinja/podkast', older)).toMatchObject({ status: 500 })
  })

  test('asks for a token', async () => {
    for (const authorization of ['', 'token wrong', `Basic ${token}`]) {
      const response = await fetch(`${forgejo.url}/api/v1/repos/sidelinja/podkast/contents/x`, { headers: { authorization } })
      expect(response.status).toBe(401)
    }
    const bearer = await fetch(`${forgejo.url}/api/v1/repos/sidelinja/podkast/contents/README.md`, {
      headers: { authorization: `Bearer ${token}` },
    })
    expect(bearer.status).toBe(200)
  })

  test('somebody commits in between', async () => {
    const before = () =>
      standIn.commit({ repository: 'sidelinja/podkast', branch: 'main', path: 'README.md', content: 'other', message: '' })
    await using standIn: ForgejoStandIn = await startForgejoStandIn({ token, repositories, before })
    expect(await call('PUT', 'README.md', { ...new1, sha: readmeSha }, 'sidelinja/podkast', standIn)).toMatchObject({ status: 422 })
  })
})

async function call(method: string, path: string, body?: object, repository = 'sidelinja/podkast', to = forgejo) {
  const response = await fetch(`${to.url}/api/v1/repos/${repository}/contents/${path}`, {
    method,
    headers: { authorization: `token ${token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: JSON.parse(await response.text()) }
}
