import { mkdtemp, readFile, rm, unlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import zlib from 'node:zlib'
import { createFileRoot, type FileRoot } from '@sidelinja/jobs-kit'
import type { LogCheckpoint } from '@sidelinja/jobs-kit/storage'
import { afterAll, beforeEach } from 'vitest'
import { createCounter } from '../src/counter.ts'
import { createDayClock } from '../src/local-day.ts'
import { type Reading, type ReadLogOptions, readLog } from '../src/read-log.ts'
import { createClassifier } from '../src/user-agents/classify.ts'

export const LOG = 'access.log'
export const ROTATED = 'access-2026-11-30T18-09-16.697.log'

/** Lines n to m, each of a listener of its own, a second apart. */
export const lines = (from: number, to = from) => range(from, to).map(line).join('')
export const line = (n: number) =>
  `${JSON.stringify({ level: 'info', ts: 1796032800 + n, request: { client_ip: `10.0.0.${n}`, method: 'GET', uri: '/media/a.mp3' }, status: 200, size: 9 })}\n`

export const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)

export interface Run extends Reading {
  /** The numbers of the lines that were read, in order. */
  seen: number[]
  fractions: number[]
}

interface RunOptions extends Partial<ReadLogOptions> {
  /** Default true: what the run leaves is remembered. */
  commit?: boolean
  logPath?: string
}

/** A folder of logs for each test, and what the database would remember of it between two runs. */
export function useLogFolder() {
  const base = mkdtemp(join(tmpdir(), 'log-folder-'))
  let folder: string
  const path = (name: string) => join(folder, name)
  const log = {
    logs: undefined as unknown as FileRoot,
    memory: { checkpoint: undefined as LogCheckpoint | undefined, finished: new Map<string, Buffer>() },
    path,
    run: async (options: RunOptions = {}): Promise<Run> => {
      const run = await readOnce(log, options)
      if (options.commit !== false) remember(log.memory, run)
      return run
    },
    async gzip(name: string): Promise<void> {
      await writeFile(path(`${name}.gz`), zlib.gzipSync(await readFile(path(name))))
      await unlink(path(name))
    },
  }
  beforeEach(async () => {
    folder = await mkdtemp(join(await base, 'logs-'))
    log.logs = createFileRoot({ root: folder, name: 'LOG_ROOT' })
    log.memory = { checkpoint: undefined, finished: new Map() }
  })
  afterAll(async () => rm(await base, { recursive: true }))
  return log
}

type Memory = ReturnType<typeof useLogFolder>['memory']

async function readOnce({ logs, memory }: { logs: FileRoot; memory: Memory }, options: RunOptions): Promise<Run> {
  const seen: number[] = []
  const fractions: number[] = []
  const clock = createDayClock('UTC')
  const now = new Date('2026-11-30T12:00:00Z')
  const counter = createCounter({ mediaPrefixes: ['/media/'], episodes: {}, clock, now, classify: createClassifier() })
  const { count } = counter
  counter.count = (text) => {
    seen.push(Number(/10\.0\.0\.(\d+)"/.exec(text)?.[1]))
    return count(text)
  }
  const reading = await readLog(logs, options.logPath ?? LOG, {
    from: memory.checkpoint,
    readFinished: async () => [...memory.finished.values()],
    counter,
    limits: { bytes: 64 * 1024 * 1024, ms: 20_000, listeners: 100_000 },
    nowMs: () => 0,
    signal: new AbortController().signal,
    progress: (fraction) => fractions.push(fraction),
    ...options,
  })
  return { ...reading, seen, fractions }
}

function remember(memory: Memory, { to, finished, present }: Reading): void {
  memory.checkpoint = to
  if (present) {
    const there = new Set(present.map((head) => head.toString('hex')))
    for (const key of memory.finished.keys()) if (!there.has(key)) memory.finished.delete(key)
  }
  for (const head of finished) memory.finished.set(head.toString('hex'), head)
}
