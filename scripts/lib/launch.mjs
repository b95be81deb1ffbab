import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { handOver } from './hand-over.mjs'
import { installIfStale } from './install.mjs'
import { checkMachine, pinnedNode } from './machine.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Checks the machine, installs what is missing, runs `program` (a path from the root) on the pinned Node and ends with its exit code.
 * What is wrong with the machine is one sentence on stderr and exit code 2.
 *
 * @param {string} program
 * @param {{ args: string[], conditions?: string[] }} options
 */
export async function launch(program, { args, conditions = [] }) {
  try {
    checkMachine()
    await installIfStale(root)
    const follow = join(root, 'scripts/lib/follow-launcher.mjs')
    const flags = conditions.map((condition) => `--conditions=${condition}`)
    process.exitCode = await handOver(pinnedNode(root), [...flags, follow, join(root, program), ...args], root)
  } catch (error) {
    if (!error.expected) throw error
    console.error(error.message)
    process.exitCode = 2
  }
}
