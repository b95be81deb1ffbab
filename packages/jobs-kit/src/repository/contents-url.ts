import { PermanentError } from '@sidelinja/jobs-core'

/** The address of a file in the contents API: each part encoded, and none that leads elsewhere. */
export function contentsUrl(base: URL, repository: string, path: string): URL {
  const owned = repository.split('/')
  const parts = path.split('/')
  if (owned.length !== 2 || ![...owned, ...parts].every(isName)) {
    throw new PermanentError(
      'REPOSITORY_PATH_INVALID',
      `Expected a repository like owner/name and a relative path of ordinary names; got ${JSON.stringify(repository)} and ${JSON.stringify(path)}. Correct the collection’s settings.`,
    )
  }
  const encoded = ['repos', ...owned, 'contents', ...parts].map(encodeURIComponent).join('/')
  return new URL(`${base.pathname.replace(/\/*$/, '')}/api/v1/${encoded}`, base)
}

/** `.` and `..` would be resolved away, and lead to another call with our token. git itself has no `.git` in a tree. */
function isName(part: string): boolean {
  return part !== '' && part !== '.' && part !== '..' && part.toLowerCase() !== '.git' && part.isWellFormed() && !/[\p{Cc}\\]/u.test(part)
}
