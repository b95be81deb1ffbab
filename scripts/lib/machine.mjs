import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expectedError } from './expected-error.mjs'

/** Node's versions that can start us, and that can run the code itself (type stripping) where no pinned Node is installed. */
const OLDEST_LAUNCHER = [20, 0]
const OLDEST_RUNNER = [22, 18]

/**
 * Throws one clear sentence when this machine cannot run the project.
 *
 * @param {{ platform: string, arch: string, versions: { node: string } }} [machine]
 * @param {boolean} [isMusl]
 */
export function checkMachine({ platform, arch, versions } = process, isMusl = platform === 'linux' && hasMusl()) {
  if (isMusl) {
    throw expectedError(
      'This needs a Linux with glibc, such as Debian, Ubuntu or Fedora; Alpine and other musl systems lack it, and neither the pinned Node nor the embedded PostgreSQL runs there.',
    )
  }
  const bringsNode = platform === 'linux' && ['x64', 'arm64'].includes(arch)
  const [major, minor] = bringsNode ? OLDEST_LAUNCHER : OLDEST_RUNNER
  if (!isAtLeast(versions.node, major, minor)) {
    throw expectedError(
      `Node ${major}.${minor} or newer is needed on ${platform}-${arch}, and this is Node ${versions.node}. Install a newer one from your system's packages or with a version manager.`,
    )
  }
}

/** The Node of the lockfile where the platform has one (Linux), else the one that runs us. */
export function pinnedNode(root) {
  const pinned = join(root, 'node_modules/.bin/node')
  return existsSync(pinned) ? pinned : process.execPath
}

function isAtLeast(version, major, minor) {
  const [haveMajor = 0, haveMinor = 0] = version.split('.').map(Number)
  return haveMajor > major || (haveMajor === major && haveMinor >= minor)
}

function hasMusl() {
  if (!process.report) return false
  process.report.excludeNetwork = true // else the report looks up every open connection's name
  return process.report.getReport().header.glibcVersionRuntime === undefined
}
