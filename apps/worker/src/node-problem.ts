/** The oldest Node the worker runs on; `engines` of the package.json says the same. */
const OLDEST = [22, 18] as const

/** What is wrong with a version of Node, as a sentence; undefined when it will do. */
export function nodeProblem(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return undefined
  return `Node ${OLDEST.join('.')} or newer is needed, and this is Node ${version} (${process.execPath}). Install a newer one, or start the worker with one that is already here.`
}
