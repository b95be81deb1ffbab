import { cpus, totalmem } from 'node:os'

/** The machine in a line: figures mean nothing without it. */
export function describeMachine(): string {
  const processors = cpus()
  return `${processors.length} × ${processors[0]?.model.trim() ?? 'processor'}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${process.platform} ${process.arch}`
}
