import { posix } from 'node:path'

/** How a log file is packed; `unknown` can be recognised but not read. */
export type Packing = 'plain' | 'gzip' | 'zstd' | 'unknown'

const packings: ReadonlyMap<string, Packing> = new Map([
  ['.gz', 'gzip'],
  ['.zst', 'zstd'],
  ['.bz2', 'unknown'],
  ['.xz', 'unknown'],
  ['.lz4', 'unknown'],
  ['.zip', 'unknown'],
])

/** How a file is packed, by its name. */
export function packingOf(name: string): Packing {
  return packings.get(posix.extname(name)) ?? 'plain'
}

/**
 * Whether a file's name says that it is a rotated part of the log `logName`, possibly packed: `access-2026-11-30T18-09-16.697.log`
 * (Caddy with lumberjack), `access-<time>-<reason>.log` and `access.log-<time>-<reason>` (timberjack, Caddy 2.11), `access.log.1`,
 * `access.1.log`, `access.log-20261130` (logrotate). A time is at least eight digits, so that `access-site2.log` is another log.
 */
export function isRotatedName(logName: string, name: string): boolean {
  const plain = packingOf(name) === 'plain' ? name : posix.parse(name).name
  const { name: stem, ext } = posix.parse(logName)
  if (plain === logName) return false
  if (plain.startsWith(logName)) return isMark(plain.slice(logName.length))
  if (plain.length <= logName.length || !plain.startsWith(stem) || !plain.endsWith(ext)) return false
  return isMark(plain.slice(stem.length, plain.length - ext.length))
}

/** What rotation adds to a name: a number, or a time and perhaps a reason. */
function isMark(mark: string): boolean {
  if (/^\.\d{1,4}$/.test(mark)) return true
  const time = /^[-.]([\dTZ_.:+-]*\d(?:Z)?)(?:-[a-z][a-z0-9_-]{0,31})?$/i.exec(mark)?.[1]
  return time !== undefined && time.replace(/\D/g, '').length >= 8
}
