import { posix } from 'node:path'

/** An index row of PostgreSQL holds about 2,700 bytes. */
const LONGEST_PATH_BYTES = 1024

/**
 * The episode a request asks for: its decoded path without the query, when it lies under one of the collection's media folders.
 * Dots and doubled slashes are resolved as Caddy does. Escapes that are not UTF-8 are kept as they stand. Undefined otherwise.
 * @param folders media prefixes, each ending in a slash: see {@link asFolders}.
 */
export function episodeOf(uri: string, folders: readonly string[]): string | undefined {
  const raw = pathOf(uri)
  const decoded = (raw.includes('%') ? decode(raw) : raw).toWellFormed()
  if (!decoded.startsWith('/') || decoded.includes('\0')) return undefined
  const path = decoded.includes('//') || decoded.includes('/.') ? posix.normalize(decoded) : decoded
  if (path.endsWith('/') || Buffer.byteLength(path) > LONGEST_PATH_BYTES) return undefined
  return folders.some((folder) => path.startsWith(folder)) ? path : undefined
}

/** Media prefixes as folders, so that `/media` never takes in `/media-kit`. */
export function asFolders(prefixes: readonly string[]): string[] {
  return prefixes.map((prefix) => (prefix.endsWith('/') ? prefix : `${prefix}/`))
}

function pathOf(uri: string): string {
  const query = uri.indexOf('?')
  const path = query === -1 ? uri : uri.slice(0, query)
  // A request line may hold a whole address (RFC 9112, absolute-form).
  return path.startsWith('/') ? path : path.replace(/^https?:\/\/[^/]*/i, '')
}

function decode(path: string): string {
  return path.replace(/(?:%[0-9a-f]{2})+/gi, (escapes) => {
    try {
      const text = decodeURIComponent(escapes)
      // A NUL cannot be stored as text, and no file has one in its name.
      return text.includes('\0') ? escapes.toUpperCase() : text
    } catch {
      return escapes.toUpperCase()
    }
  })
}
