import { createWorker, type WorkerEvent } from '@sidelinja/jobs-core/worker'
import type { Note } from '../history/process-log.ts'
import { createHandlers } from './handlers.ts'
import type { AtMoment } from './kill-at.ts'
import type { ProcessOptions } from './options.ts'

/** A worker as an application makes it. SIGTERM stops it; it says `ready` when it takes jobs. */
export async function runWorker(options: ProcessOptions, note: (note: Note) => void, at: AtMoment): Promise<void> {
  const { leaseMs, pollIntervalMs, maxConcurrent, drainMs } = options
  const worker = createWorker({
    connection: options.connection,
    handlers: createHandlers(note, at),
    ...{ leaseMs, pollIntervalMs, maxConcurrent, drainMs },
    onEvent: (event) => noteEvent(event, note),
  })
  process.on('SIGTERM', () => void worker.stop().then(() => process.exit(0)))
  await worker.start()
  process.stdout.write('ready\n')
}

function noteEvent(event: WorkerEvent, note: (note: Note) => void): void {
  if (event.name === 'worker.started') note({ kind: 'registered', worker: event.workerId })
  if (event.name === 'job.completed') note({ kind: 'completed', job: event.jobId, run: event.run })
  if (event.name === 'lease.lost') note({ kind: 'lease_lost', worker: event.workerId })
}
