import { isJobsError, type JobsError } from '@sidelinja/jobs-core'
import { afterEach, describe, expect, test } from 'vitest'
import type { ForgejoRepository } from '../testing/stand-ins/forgejo/repositories.ts'
import {
  type ForgejoRequest,
  type ForgejoStandIn,
  type ForgejoStandInOptions,
  startForgejoStandIn,
} from '../testing/stand-ins/forgejo/start-forgejo-stand-in.ts'
import { createForgejoRepository } from './create-forgejo-repository.ts'
import type { RepositoryFile } from './repository.ts'

const token = 'secret-token-of-the-worker'
const name = 'sidelinja/podkast'
const signal = new AbortController().signal
let forgejo: ForgejoStandIn
afterEach(() => forgejo.close())

async function start(repository: ForgejoRepository = { branches: { main: {} } }, more: Partial<ForgejoStandInOptions> = {}) {
  forgejo = await startForgejoStandIn({ token, repositories: { [name]: repository }, ...more })
}

const file: RepositoryFile = {
  repository: name,
  branch: 'main',
  path: 'undertekster/ep 1 – blåbær.srt',
  content: 'æøå\n',
  message: 'Undertekster',
}
const put = (more: Partial<RepositoryFile> = {}, options: { token?: string; timeoutMs?: number } = {}) =>
  createForgejoRepository({ url: new URL(forgejo.url), token, ...options }).putFile({ ...file, ...more }, signal)
const methods = () => forgejo.requests.map(({ method }) => method)
const stored = () => forgejo.readFile(name, 'main', file.path)
const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.fail('expected a failure'),
    (error: JobsError) => error,
  )

/** Somebody else's commits, one before each write, until they are used up. */
function interfering(...contents: (string | undefined)[]) {
  return ({ method }: ForgejoRequest) => {
    if (method === 'GET') return
    const content = contents.shift()
    if (content !== undefined) theirs(content)
  }
}

function theirs(content: string): void {
  forgejo.commit({ repository: name, branch: 'main', path: file.path, content, message: 'somebody else' })
}

describe('the file is there afterwards', () => {
  test('created', async () => {
    await start()
    expect(await put()).toEqual({ outcome: 'created', sha: expect.stringMatching(/^[0-9a-f]{40}$/) })
    expect(stored()).toBe('æøå\n')
    expect(forgejo.commits).toMatchObject([{ message: 'Undertekster', branch: 'main' }])
    expect(methods()).toEqual(['GET', 'POST'])
  })

  test('updated', async () => {
    await start({ branches: { main: { [file.path]: 'old' } } })
    expect(await put()).toMatchObject({ outcome: 'updated' })
    expect(stored()).toBe('æøå\n')
    expect(methods()).toEqual(['GET', 'PUT'])
  })

  test('unchanged when it is there already: no commit', async () => {
    await start()
    const { sha } = await put()
    expect(await put()).toEqual({ outcome: 'unchanged', sha })
    expect(forgejo.commits).toHaveLength(1)
  })

  test('empty', async () => {
    await start()
    expect(await put({ content: '' })).toEqual({ outcome: 'created', sha: 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391' })
    expect(stored()).toBe('')
  })

  test('on the branch that was named', async () => {
    await start({ branches: { main: {}, andre: { [file.path]: 'old' } } })
    expect(await put({ branch: 'andre' })).toMatchObject({ outcome: 'updated' })
    expect([forgejo.readFile(name, 'andre', file.path), stored()]).toEqual(['æøå\n', undefined])
  })

  test('as the first commit, where the version takes it', async () => {
    await start({ acceptsFirstCommit: true })
    expect(await put()).toMatchObject({ outcome: 'created' })
  })

  test('with an author', async () => {
    await start()
    const author = { name: 'Sidelinja', email: 'jobs@example.org' }
    await createForgejoRepository({ url: new URL(forgejo.url), token, author }).putFile(file, signal)
    expect(JSON.parse(forgejo.requests[1]?.body ?? '')).toMatchObject({ author, committer: author })
  })
})

const stale = ['GET', 'PUT']

describe('somebody else writes at the same time', () => {
  test.each<[string, ForgejoRepository, (string | undefined)[], string, string[]]>([
    ['a stale sha', { branches: { main: { [file.path]: 'old' } } }, ['theirs'], 'updated', ['GET', 'PUT', 'GET', 'PUT']],
    [
      'three times stale',
      { branches: { main: { [file.path]: 'old' } } },
      ['1', '2', '3'],
      'updated',
      ['GET', 'PUT', 'GET', 'PUT', 'GET', 'PUT', 'GET', 'PUT'],
    ],
    ['created in between', { branches: { main: {} } }, ['theirs'], 'updated', ['GET', 'POST', 'GET', 'PUT']],
    ['the same file in between', { branches: { main: { [file.path]: 'old' } } }, [file.content], 'unchanged', ['GET', 'PUT', 'GET']],
    [
      'the same file, after three times',
      { branches: { main: { [file.path]: 'old' } } },
      ['1', '2', '3', file.content],
      'unchanged',
      [...stale, ...stale, ...stale, ...stale, 'GET'],
    ],
    ['the same file created in between', { branches: { main: {} } }, [file.content], 'unchanged', ['GET', 'POST', 'GET']],
  ])('%s', async (_name, repository, contents, outcome, calls) => {
    await start(repository, { before: interfering(...contents) })
    expect(await put()).toMatchObject({ outcome })
    expect(stored()).toBe(file.content)
    expect(methods()).toEqual(calls)
  })

  test('again and again: given up after three retries, for later', async () => {
    await start({ branches: { main: { [file.path]: 'old' } } }, { before: interfering('1', '2', '3', '4', '5', '6') })
    expect(await failure(put())).toMatchObject({ kind: 'transient', code: 'REPOSITORY_BUSY' })
    expect(methods().filter((method) => method === 'PUT')).toHaveLength(4)
  })

  test.each(['forgejo', 'old-forgejo', 'gitea'] as const)('deleted in between: created again (%s)', async (version) => {
    const before = ({ method }: ForgejoRequest) => {
      if (method === 'PUT') forgejo.remove(name, 'main', file.path)
    }
    await start({ branches: { main: { [file.path]: 'old' } } }, { version, before })
    expect(await put()).toMatchObject({ outcome: 'created' })
    expect(methods()).toEqual(['GET', 'PUT', 'GET', 'POST'])
  })

  test('409, as other servers say it', async () => {
    await start({ branches: { main: { [file.path]: 'old' } } })
    forgejo.fail({ delayMs: 1 }, { answer: { status: 409, body: '{"message":"sha does not match"}' } })
    void forgejo.received(2).then(() => theirs('theirs'))
    expect(await put()).toMatchObject({ outcome: 'updated' })
    expect(methods()).toEqual(['GET', 'PUT', 'GET', 'PUT'])
  })
})

describe('what is in the way is said, and final', () => {
  test.each<[string, ForgejoRepository | undefined, Partial<RepositoryFile>, string, RegExp]>([
    [
      'a protected branch',
      { branches: { main: {} }, protectedBranches: ['main'] },
      {},
      'REPOSITORY_WRITE_REFUSED',
      /branch main of sidelinja\/podkast: the branch is protected.*cannot commit/,
    ],
    ['an archived repository', { branches: { main: {} }, archived: true }, {}, 'REPOSITORY_WRITE_REFUSED', /archived/],
    ['an empty repository', {}, {}, 'REPOSITORY_EMPTY', /Make the first commit/],
    ['no such repository', undefined, { repository: 'sidelinja/nope' }, 'REPOSITORY_NOT_FOUND', /no repository sidelinja\/nope/],
    ['no such branch', undefined, { branch: 'nope' }, 'REPOSITORY_NOT_FOUND', /no branch nope/],
    ['a folder of that name', { branches: { main: { 'a/b': '' } } }, { path: 'a' }, 'REPOSITORY_PATH_INVALID', /it is a folder/],
    ['a path that leads out', undefined, { path: '../x' }, 'REPOSITORY_PATH_INVALID', /ordinary names/],
    ['a full quota', { branches: { main: {} }, quotaBytes: 1 }, {}, 'UPSTREAM_TOO_LARGE', /quota/],
  ])('%s', async (_name, repository, more, code, message) => {
    await start(repository)
    const error = await failure(put(more))
    expect(error).toMatchObject({ kind: 'permanent', code })
    expect(error.message).toMatch(message)
    expect(methods().filter((method) => method !== 'GET').length).toBeLessThanOrEqual(1)
    expect(forgejo.commits).toEqual([])
  })

  test('a refused content is not sent again and again', async () => {
    await start()
    forgejo.fail({ delayMs: 1 }, { answer: { status: 422, body: '{"message":"invalid commit message"}' } })
    expect(await failure(put())).toMatchObject({
      kind: 'permanent',
      status: 422,
      message: expect.stringContaining('invalid commit message'),
    })
    expect(methods()).toEqual(['GET', 'POST', 'GET'])
  })

  test('a wrong token is the configuration’s fault, and is not told', async () => {
    await start()
    const error = await failure(put({}, { token: 'wrong-token-value' }))
    expect(error).toMatchObject({ code: 'UPSTREAM_UNAUTHORIZED', status: 401 })
    expect(JSON.stringify(error) + error.message).not.toContain('wrong-token-value')
  })
})

describe('what passes is tried again later', () => {
  test.each([
    ['503 on reading', [{ answer: { status: 503 } }]],
    ['502 on writing', [{ delayMs: 1 }, { answer: { status: 502 } }]],
    ['500 on writing', [{ delayMs: 1 }, { answer: { status: 500 } }]],
    ['a page instead of JSON', [{ answer: { status: 200, body: '<html>' } }]],
    ['a cut connection', [{ delayMs: 1 }, { drop: 'before-headers' as const }]],
  ])('%s', async (_name, faults) => {
    await start()
    forgejo.fail(...faults)
    expect(await failure(put())).toSatisfy((error) => isJobsError(error, 'transient'))
  })

  test('the commit was made and its answer lost: the next attempt changes nothing', async () => {
    await start()
    forgejo.fail({ delayMs: 1 }, { drop: 'before-headers' })
    await failure(put())
    expect(forgejo.commits).toHaveLength(1)
    expect(await put()).toMatchObject({ outcome: 'unchanged' })
    expect(forgejo.commits).toHaveLength(1)
  })

  test('the commit was made, and the answer is 500: found out at once', async () => {
    await start()
    forgejo.fail({ delayMs: 1 }, { answer: { status: 500 } })
    void forgejo.received(2).then(() => theirs(file.content))
    expect(await put()).toMatchObject({ outcome: 'unchanged' })
    expect(methods()).toEqual(['GET', 'POST', 'GET'])
  })

  test('an abort is passed on', async () => {
    await start()
    forgejo.fail({ hang: 'before-headers' })
    const cancel = new AbortController()
    const putting = createForgejoRepository({ url: new URL(forgejo.url), token }).putFile(file, cancel.signal)
    await forgejo.received(1)
    cancel.abort(new Error('cancelled'))
    await expect(putting).rejects.toThrow('cancelled')
  })
})
