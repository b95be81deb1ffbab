import type { Answer } from '../server/answer.ts'
import { readBody } from '../server/read-body.ts'
import type { ReceivedRequest } from '../server/received.ts'
import type { StandIn, StandInOptions } from '../server/stand-in.ts'
import { startStandIn } from '../server/start-stand-in.ts'
import { type ContentsRequest, createContents, type ForgejoVersion, notFound, readContents, refusal, updateContents } from './contents.ts'
import { createRepositories, type ForgejoCommit, type ForgejoRepository, type Repositories } from './repositories.ts'

/** What the repositories are, and who is let in. */
export interface ForgejoStandInOptions extends StandInOptions {
  /** The token that is let in, as `Authorization: token …` or `Bearer …`. */
  token: string
  /** By `owner/name`. */
  repositories: Record<string, ForgejoRepository>
  /** Default forgejo. */
  version?: ForgejoVersion
  /** Called before a request is looked at, as whoever commits in between. */
  before?: (request: ForgejoRequest) => void | Promise<void>
}

/** A request to the contents API. */
export interface ForgejoRequest extends ReceivedRequest {
  /** As it was received; undefined before. */
  body: string
}

/** A running stand-in for Forgejo. */
export interface ForgejoStandIn extends StandIn<ForgejoRequest> {
  /** What has been committed over the API or by `commit`, oldest first. */
  readonly commits: readonly ForgejoCommit[]
  /** A file's text on a branch, if it is there. */
  readFile(repository: string, branch: string, path: string): string | undefined
  /** Commits as somebody else. */
  commit(commit: ForgejoCommit): void
  /** Deletes a file as somebody else. */
  remove(repository: string, branch: string, path: string): void
}

/** The contents API of Forgejo and Gitea (read, create and change one file) over repositories in memory. */
export async function startForgejoStandIn(options: ForgejoStandInOptions): Promise<ForgejoStandIn> {
  const repositories = createRepositories(options.repositories)
  const standIn = await startStandIn<ForgejoRequest>(
    {
      describe: () => 'a stand-in for Forgejo: repositories in memory, gone when it ends',
      receive: async (message, request) => {
        request.body = (await readBody(message, 64 * 1024 * 1024)).toString('utf8')
      },
      answer: async (request) => {
        await options.before?.(request)
        return answer(request, repositories, options)
      },
    },
    options,
  )
  return Object.assign(standIn, {
    commits: repositories.commits,
    readFile: (repository: string, branch: string, path: string) => repositories.find(repository)?.branches[branch]?.[path],
    commit: repositories.commit,
    remove: repositories.remove,
  })
}

function answer(request: ForgejoRequest, repositories: Repositories, { token, version = 'forgejo' }: ForgejoStandInOptions): Answer {
  const given = /^(?:token|bearer) (.+)$/i.exec(request.headers.authorization ?? '')?.[1]
  if (given !== token) return refusal(401, 'invalid username, password or token')
  const parsed = parse(request)
  const repository = parsed && repositories.find(parsed.repositoryName)
  if (parsed === undefined || repository === undefined) return notFound()
  if (request.method === 'GET') return readContents(parsed, repository)
  if (request.method === 'POST') return createContents(parsed, repository, repositories)
  if (request.method === 'PUT') return updateContents(parsed, repository, repositories, version)
  return refusal(405, 'Method Not Allowed')
}

function parse({ path, query, body }: ForgejoRequest): ContentsRequest | undefined {
  const [, owner, name, file] = /^\/api\/v1\/repos\/([^/]+)\/([^/]+)\/contents\/(.+)$/.exec(path) ?? []
  if (owner === undefined || name === undefined || file === undefined) return undefined
  try {
    return {
      repositoryName: `${decodeURIComponent(owner)}/${decodeURIComponent(name)}`,
      // A slash that was encoded with its segment is one more part of the path, as in Go's routers.
      path: file.split('/').map(decodeURIComponent).join('/'),
      ref: query.get('ref') ?? undefined,
      body: body === '' ? {} : (JSON.parse(body) as ContentsRequest['body']),
    }
  } catch {
    return undefined
  }
}
