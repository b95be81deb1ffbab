import { Worker } from 'node:worker_threads'
import type { PageSource, ReadDocument } from './read-document.ts'

/** What reading one page may take. */
export interface ThreadLimits {
  readonly timeoutMs: number
  readonly memoryMb: number
}

/**
 * Reads a page on a thread of its own, which is ended when it takes too long or too much memory: neither ends the worker, nor holds its event loop up.
 * Undefined where it came to such an end. The bytes are handed over: they are empty here afterwards.
 * @throws the signal's reason, when it aborts; the thread is gone by then.
 */
export async function readInThread(
  { bytes, headerCharset }: PageSource,
  { timeoutMs, memoryMb }: ThreadLimits,
  signal: AbortSignal,
): Promise<ReadDocument | undefined> {
  signal.throwIfAborted()
  // Built, it lies beside this file's bundle; see tsup.config.ts.
  const isSource = import.meta.url.endsWith('.ts')
  const file = new URL(isSource ? './page-thread.ts' : './page-thread.js', import.meta.url)
  // A buffer may be a window into one that others use.
  const own = Uint8Array.from(bytes)
  const thread = new Worker(file, {
    ...{ workerData: { bytes: own, headerCharset } satisfies PageSource, transferList: [own.buffer], name: 'sidelinja page' },
    resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
    // Flags of the process are its own: a thread refuses those of V8. Only a run from source needs its conditions.
    execArgv: isSource ? process.execArgv.filter((flag) => flag.startsWith('--conditions=')) : [],
    // What a parser complains of is no line of the worker's log.
    ...{ stdout: true, stderr: true },
  })
  const ended = Promise.withResolvers<ReadDocument | undefined>()
  const stop = () => ended.reject(signal.reason)
  const timer = setTimeout(() => ended.resolve(undefined), timeoutMs)
  signal.addEventListener('abort', stop, { once: true })
  thread.on('message', ended.resolve)
  thread.on('error', (error) => (endedByLimit(error) ? ended.resolve(undefined) : ended.reject(error)))
  thread.on('exit', () => ended.resolve(undefined))
  try {
    return await ended.promise
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
    await thread.terminate()
  }
}

/** Too much memory, or too deep. Anything else is a fault of ours, and is told. */
function endedByLimit(error: unknown): boolean {
  return (error as NodeJS.ErrnoException)?.code === 'ERR_WORKER_OUT_OF_MEMORY' || (error as Error)?.name === 'RangeError'
}
