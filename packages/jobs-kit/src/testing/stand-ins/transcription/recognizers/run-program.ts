import { execFile } from 'node:child_process'
import { setPriority } from 'node:os'

/** What a program wrote before it ended well. @throws what `execFile` throws, with `code` ENOENT where there is no such program. */
export function runProgram(
  command: string,
  args: readonly string[],
  { signal, gentle = false }: { signal?: AbortSignal; gentle?: boolean } = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { encoding: 'utf8' as const, maxBuffer: 64 * 1024 * 1024, killSignal: 'SIGKILL' as const, ...(signal && { signal }) }
    const child = execFile(command, args, options, (error, stdout) => (error ? reject(error) : resolve(stdout)))
    if (gentle && child.pid !== undefined) lowerPriority(child.pid)
  })
}

/** Lets everything else on the machine go first. */
function lowerPriority(pid: number): void {
  try {
    setPriority(pid, 10)
  } catch {
    // It has ended already.
  }
}
