import { openSync, writeSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ProcessEvent } from './history.ts'

export type Note = Omit<ProcessEvent, 'at' | 'pid'>

/** The machine's clock, also where `Date` has been moved. */
export const trueNow = () => performance.timeOrigin + performance.now()

/** Writes events to a file of this process, each before it returns: a kill right after loses none. */
export function openProcessLog(file: string): (note: Note) => void {
  const handle = openSync(file, 'a')
  return (note) => void writeSync(handle, `${JSON.stringify({ at: trueNow(), pid: process.pid, ...note })}\n`)
}

/** What all processes of a folder wrote down. */
export async function readProcessLogs(folder: string): Promise<ProcessEvent[]> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.events'))
  const texts = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')))
  return texts.flatMap((text) => text.split('\n').flatMap(parseLine)).toSorted((a, b) => a.at - b.at)
}

/** A process that was killed in the middle of a line had not yet done what it says. */
function parseLine(line: string): ProcessEvent[] {
  if (!line.endsWith('}')) return []
  return [JSON.parse(line) as ProcessEvent]
}
