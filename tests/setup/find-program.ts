import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Where Debian puts programs, and where root's search path ends in other places. */
const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin', '/opt/homebrew/bin']

/**
 * The path of a program that tests need and a machine may lack; null when this one lacks it. With REQUIRE_ALL that is an error.
 * @param debianPackage what installs it
 */
export function findProgram(name: string, debianPackage = name): string | null {
  const path = folders.map((folder) => join(folder, name)).find(isExecutable)
  if (path === undefined && process.env.REQUIRE_ALL) {
    throw new Error(`Not everything can run; needs ${name}: apt-get install ${debianPackage}`)
  }
  return path ?? null
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
