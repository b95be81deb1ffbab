/** A file to be in a repository. */
export interface RepositoryFile {
  /** `owner/name`. */
  repository: string
  branch: string
  /** Relative, with slashes: `transcripts/ep001.srt`. */
  path: string
  content: string
  /** Of the commit. */
  message: string
}

/** What it took to have the file there. */
export interface PutOutcome {
  outcome: 'created' | 'updated' | 'unchanged'
  /** What git calls the content. */
  sha: string
}

/** Where transcripts are committed to. */
export interface Repository {
  /**
   * Sees to it that the file has this content, in one commit or in none: the same call again changes nothing.
   * @throws PermanentError `REPOSITORY_PATH_INVALID`, `REPOSITORY_NOT_FOUND`, `REPOSITORY_WRITE_REFUSED`, `REPOSITORY_EMPTY`; TransientError
   * `REPOSITORY_BUSY`; UpstreamError.
   */
  putFile(file: RepositoryFile, signal: AbortSignal): Promise<PutOutcome>
}
