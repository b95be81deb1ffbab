import { createHash } from 'node:crypto'
import { type Answer, jsonAnswer } from '../server/answer.ts'
import { blobSha, type ForgejoRepository, type Repositories } from './repositories.ts'

/** Whose manners: they differ where a file to be changed is missing. */
export type ForgejoVersion = 'forgejo' | 'old-forgejo' | 'gitea'

/** One request to the contents API. */
export interface ContentsRequest {
  repositoryName: string
  path: string
  ref: string | undefined
  body: { content?: string; message?: string; branch?: string; sha?: string }
}

type Found = NonNullable<ReturnType<Repositories['find']>>

export function readContents({ path, ref }: ContentsRequest, repository: Found): Answer {
  const files = repository.branches[ref || repository.defaultBranch]
  if (files === undefined) return notFound()
  const text = files[path]
  if (text !== undefined) return jsonAnswer(200, fileOnTheWire(path, Buffer.from(text), true))
  const inside = Object.keys(files).filter((name) => name.startsWith(`${path}/`))
  return inside.length === 0 ? notFound() : jsonAnswer(200, listFolder(path, files, inside))
}

/** POST: the file must be new. */
export function createContents(request: ContentsRequest, repository: Found, repositories: Repositories): Answer {
  const refused = refuse(request, repository, repository.acceptsFirstCommit === true)
  if (refused) return refused
  if (filesOf(request, repository)?.[request.path] !== undefined) {
    return refusal(422, `repository file already exists [path: ${request.path}]`)
  }
  return write(201, request, repository, repositories)
}

/** PUT: the file must be there, as the caller has seen it. */
export function updateContents(request: ContentsRequest, repository: Found, repositories: Repositories, version: ForgejoVersion): Answer {
  const refused = refuse(request, repository, false)
  if (refused) return refused
  const current = filesOf(request, repository)?.[request.path]
  if (current === undefined) {
    const message = `repository file does not exist [path: ${request.path}]`
    return version === 'old-forgejo' ? refusal(500, message) : refusal(404, message)
  }
  const sha = blobSha(Buffer.from(current))
  if (!request.body.sha) return refusal(422, 'a SHA or commit ID must be proved when updating a file')
  if (request.body.sha !== sha) return refusal(422, `sha does not match [given: ${request.body.sha}, expected: ${sha}]`)
  return write(200, request, repository, repositories)
}

export function refusal(status: number, message: string): Answer {
  return jsonAnswer(status, { message, url: 'https://forgejo.example/api/swagger' })
}

export function notFound(): Answer {
  return jsonAnswer(404, { errors: null, message: "The target couldn't be found.", url: 'https://forgejo.example/api/swagger' })
}

function refuse({ path, body }: ContentsRequest, repository: Found, firstCommit: boolean): Answer | undefined {
  const branch = body.branch || repository.defaultBranch
  const content = Buffer.from(body.content ?? '', 'base64')
  if (repository.archived)
    return refusal(423, 'This repo is archived. You can view files and clone it, but cannot push or open issues/pull-requests.')
  if (repository.protectedBranches?.includes(branch)) return refusal(403, `user cannot commit to repo [user: jobs, branch: ${branch}]`)
  if (body.content === undefined) return refusal(422, '[]: content is required')
  if (content.toString('base64') !== body.content) return refusal(422, 'illegal base64 data at input byte 0')
  if (path.split('/').some((part) => part === '' || part === '.' || part === '..' || part === '.git')) {
    return refusal(422, `path contains a malformed path component [path: ${path}]`)
  }
  if (content.length > (repository.quotaBytes ?? Number.POSITIVE_INFINITY)) return refusal(413, 'quota exceeded')
  if (isEmpty(repository)) return firstCommit ? undefined : refusal(422, 'repo is empty')
  return repository.branches[branch] === undefined ? refusal(404, `branch does not exist [name: ${branch}]`) : undefined
}

function isEmpty(repository: ForgejoRepository): boolean {
  return Object.keys(repository.branches ?? {}).length === 0
}

function filesOf({ body }: ContentsRequest, repository: Found): Record<string, string> | undefined {
  return repository.branches[body.branch || repository.defaultBranch]
}

function write(status: number, { repositoryName, path, body }: ContentsRequest, repository: Found, repositories: Repositories): Answer {
  const content = Buffer.from(body.content ?? '', 'base64')
  const message = body.message ?? `Update ${path}`
  const branch = body.branch || repository.defaultBranch
  repositories.commit({ repository: repositoryName, branch, path, content: content.toString('utf8'), message })
  const sha = createHash('sha1').update(`${repositories.commits.length}${message}`).digest('hex')
  return jsonAnswer(status, { content: fileOnTheWire(path, content, false), commit: { sha, message }, verification: { verified: false } })
}

function fileOnTheWire(path: string, content: Buffer, whole: boolean): object {
  return {
    name: path.slice(path.lastIndexOf('/') + 1),
    path,
    sha: blobSha(content),
    type: 'file',
    size: content.length,
    encoding: whole ? 'base64' : null,
    content: whole ? content.toString('base64') : null,
  }
}

function listFolder(folder: string, files: Record<string, string>, inside: readonly string[]): object[] {
  const names = new Set(inside.map((path) => path.slice(folder.length + 1).split('/', 1)[0] ?? ''))
  return [...names].map((name) => {
    const path = `${folder}/${name}`
    const text = files[path]
    return text === undefined ? { name, path, type: 'dir', size: 0 } : { ...fileOnTheWire(path, Buffer.from(text), false) }
  })
}
