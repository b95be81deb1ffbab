import { PermanentError } from '@sidelinja/jobs-core'
import { isUpstreamError } from '../http/upstream-error.ts'
import type { RepositoryFile } from './repository.ts'

/** What a refusal of a write means to whoever set the repository; an error that says enough stays as it is. */
export function explainRefusal(error: unknown, { repository, branch }: RepositoryFile): unknown {
  if (!isUpstreamError(error)) return error
  const options = { cause: error }
  const said = error.bodyExcerpt ?? ''
  if (error.status === 403 || error.status === 423) {
    const why = error.status === 423 ? 'the repository is archived' : 'the branch is protected, or the token may not write there'
    return new PermanentError(
      'REPOSITORY_WRITE_REFUSED',
      `Could not commit to branch ${branch} of ${repository}: ${why}. Let the token’s user push to it, or name another branch. Forgejo said: ${said}`,
      options,
    )
  }
  if (error.status === 404) {
    return new PermanentError(
      'REPOSITORY_NOT_FOUND',
      `There is no repository ${repository} that the token may see, or it has no branch ${branch}. Correct the collection’s settings, or create it. Forgejo said: ${said}`,
      options,
    )
  }
  if (error.status === 422 && /\brepo(sitory)?\b.*\bis empty\b/i.test(said)) {
    return new PermanentError(
      'REPOSITORY_EMPTY',
      `The repository ${repository} is empty, and Forgejo takes no first commit over its API. Make the first commit.`,
      options,
    )
  }
  return error
}
