import { EXIT } from './exit-codes.ts'
import { nodeProblem } from './node-problem.ts'

/**
 * Ends the process with one sentence and exit code 2 when this Node is too old. Call it before anything else is imported: an older Node
 * may fail while it loads the rest. Hence a door of its own, with nothing behind it that an old Node cannot read.
 */
export function checkNode(): void {
  const problem = nodeProblem(process.versions.node)
  if (problem === undefined) return
  console.error(`sidelinja-worker: ${problem}`)
  process.exit(EXIT.usage)
}
