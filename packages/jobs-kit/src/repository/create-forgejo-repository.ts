import { PermanentError, TransientError } from '@sidelinja/jobs-core'
import { createHttpClient } from '../http/create-http-client.ts'
import type { HttpClient } from '../http/http-client.ts'
import { isUpstreamError } from '../http/upstream-error.ts'
import { blobSha } from './blob-sha.ts'
import { contentsUrl } from './contents-url.ts'
import { explainRefusal } from './refused-write.ts'
import type { PutOutcome, Repository, RepositoryFile } from './repository.ts'

/** Which Forgejo or Gitea, and as whom. */
export interface ForgejoOptions {
  /** Address of the server, with its path where it has one. */
  url: URL
  /** A token that may write to the repositories' contents. */
  token: string
  /** Author of the commits. Default: the token's user. */
  author?: { name: string; email: string }
  /** For one call, in milliseconds. Default 30,000. */
  timeoutMs?: number
}

/** Somebody else commits in between: read again and try again, so many times. */
const maxRetries = 3
/** A stored file comes back in base64. */
const maxAnswerBytes = 64 * 1024 * 1024
/** What a write that came too late is answered with, by version. 404 and 500: the file to be updated is gone. */
const staleStatuses = [404, 409, 422, 500]

/** Commits single files by the contents API of Forgejo and Gitea. */
export function createForgejoRepository(options: ForgejoOptions): Repository {
  const client = createHttpClient({ service: 'forgejo' })
  return Object.freeze({ putFile: (file: RepositoryFile, signal: AbortSignal) => putFile({ ...options, client }, file, signal) })
}

type Access = ForgejoOptions & { client: HttpClient }

async function putFile(access: Access, file: RepositoryFile, signal: AbortSignal): Promise<PutOutcome> {
  const url = contentsUrl(access.url, file.repository, file.path)
  const content = Buffer.from(file.content)
  const sha = blobSha(content)
  let stored = await readSha(access, url, file, signal)
  for (let retries = 0; ; retries++) {
    if (stored === sha) return { outcome: 'unchanged', sha }
    try {
      await write(access, url, { file, content, stored }, signal)
      return { outcome: stored === undefined ? 'created' : 'updated', sha }
    } catch (error) {
      if (!isUpstreamError(error) || !staleStatuses.includes(error.status ?? 0)) throw explainRefusal(error, file)
      const now = await readSha(access, url, file, signal)
      if (now === sha) return { outcome: 'unchanged', sha }
      // Nobody has been there in between: it is refused for another reason, and would be again.
      if (now === stored) throw explainRefusal(error, file)
      if (retries === maxRetries) throw busy(file, error)
      stored = now
    }
  }
}

/** The blob that is stored at the path; undefined when there is no such file. */
async function readSha(
  access: Access,
  url: URL,
  { branch, repository, path }: RepositoryFile,
  signal: AbortSignal,
): Promise<string | undefined> {
  const onBranch = new URL(url)
  onBranch.searchParams.set('ref', branch)
  try {
    const response = await access.client.request({ ...common(access), method: 'GET', url: onBranch, maxBytes: maxAnswerBytes, signal })
    const found = response.json() as { type?: unknown; sha?: unknown } | null
    if (!Array.isArray(found) && found?.type === 'file' && typeof found.sha === 'string') return found.sha
  } catch (error) {
    if (isUpstreamError(error, 404)) return undefined
    throw explainRefusal(error, { branch, repository } as RepositoryFile)
  }
  throw new PermanentError(
    'REPOSITORY_PATH_INVALID',
    `Expected ${path} in ${repository} to be a file or not to be there; it is a folder, a link or a submodule. Correct the collection’s folder.`,
  )
}

interface Change {
  file: RepositoryFile
  content: Buffer
  /** The blob that is replaced; undefined for a new file. */
  stored: string | undefined
}

async function write(access: Access, url: URL, { file, content, stored }: Change, signal: AbortSignal): Promise<void> {
  const { author } = access
  const json = {
    content: content.toString('base64'),
    message: file.message,
    branch: file.branch,
    ...(stored !== undefined && { sha: stored }),
    ...(author && { author: { ...author }, committer: { ...author } }),
  }
  await access.client.request({
    ...common(access),
    method: stored === undefined ? 'POST' : 'PUT',
    url,
    json,
    maxBytes: maxAnswerBytes,
    signal,
  })
}

function common({ token, timeoutMs = 30_000 }: Access) {
  return { headers: { authorization: `token ${token}` }, timeoutMs }
}

function busy({ repository, path }: RepositoryFile, cause: unknown): TransientError {
  return new TransientError(
    'REPOSITORY_BUSY',
    `${path} in ${repository} was changed by somebody else ${maxRetries + 1} times while this job wanted to write it. It is tried again later.`,
    { cause },
  )
}
