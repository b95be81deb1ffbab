import { PermanentError } from '@sidelinja/jobs-core'
import type { Repository } from './repository.ts'

/** Stands where a worker has no server for repositories: whether one is needed, only a collection's settings tell. */
export const noRepository: Repository = Object.freeze({
  async putFile() {
    throw new PermanentError(
      'REPOSITORY_UNSET',
      'The collection names a repository, but this worker has no server for it. Set FORGEJO_URL and FORGEJO_TOKEN and retry the job, or take forgejo out of the settings.',
    )
  },
})
