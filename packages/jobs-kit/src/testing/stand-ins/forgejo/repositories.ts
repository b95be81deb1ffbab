import { createHash } from 'node:crypto'

/** A repository as the stand-in begins with it. */
export interface ForgejoRepository {
  /** Branch → path → text. Without a branch the repository is empty. */
  branches?: Record<string, Record<string, string>>
  /** Default main. */
  defaultBranch?: string
  /** Branches this token may not write. */
  protectedBranches?: readonly string[]
  archived?: boolean
  /** Largest file the owner's quota takes, in bytes. */
  quotaBytes?: number
  /** An empty repository refuses its first commit over the API unless this is true; versions differ. */
  acceptsFirstCommit?: boolean
}

/** A file as somebody committed it. */
export interface ForgejoCommit {
  /** `owner/name`. */
  repository: string
  branch: string
  path: string
  content: string
  message: string
}

/** Repositories in memory. */
export interface Repositories {
  find(name: string): (ForgejoRepository & { branches: Record<string, Record<string, string>>; defaultBranch: string }) | undefined
  readonly commits: readonly ForgejoCommit[]
  commit(commit: ForgejoCommit): void
  remove(repository: string, branch: string, path: string): void
}

export function createRepositories(initial: Record<string, ForgejoRepository>): Repositories {
  const repositories = new Map(
    Object.entries(initial).map(([name, repository]) => [
      name,
      { defaultBranch: 'main', ...repository, branches: structuredClone(repository.branches ?? {}) },
    ]),
  )
  const commits: ForgejoCommit[] = []
  return {
    find: (name) => repositories.get(name),
    commits,
    commit(commit) {
      const branches = repositories.get(commit.repository)?.branches
      if (branches === undefined) throw new Error(`There is no repository ${commit.repository}`)
      branches[commit.branch] = { ...branches[commit.branch], [commit.path]: commit.content }
      commits.push(commit)
    },
    remove(repository, branch, path) {
      delete repositories.get(repository)?.branches[branch]?.[path]
    },
  }
}

/** What git calls the content. */
export function blobSha(content: Buffer): string {
  return createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex')
}
