import { randomUUID } from 'node:crypto'
import { createConnectGate } from '../../database/connect-gate.ts'
import { createPooling } from '../../database/pooling.ts'
import type { QueueConnection } from '../../database/queue-connection.ts'
import { deregisterWorker } from '../../queue/deregister-worker.ts'
import { registerWorker } from '../../queue/register-worker.ts'
import { type ClaimedJob, settleAndClaim } from '../../queue/settle-and-claim.ts'
import { createApart } from '../../worker/apart.ts'
import { startCancelWatch } from '../../worker/cancel-watch.ts'
import { createCompletions } from '../../worker/completions.ts'
import type { Handler } from '../../worker/define-handler.ts'
import type { OnWorkerEvent } from '../../worker/events.ts'
import { monotonicMs } from '../../worker/heartbeat/monotonic-ms.ts'
import { joinEndings } from '../../worker/join-endings.ts'
import { resolveOptions } from '../../worker/options.ts'
import { createOutage } from '../../worker/outage.ts'
import { runJob } from '../../worker/run-job.ts'
import type { Runtime } from '../../worker/runtime.ts'
import { servicesByType } from '../../worker/service-gate.ts'
import { createSession } from '../../worker/session.ts'
import { flush } from '../../worker/settle-batch.ts'
import { tickSchedules } from '../../worker/tick-schedules.ts'
import type { WorkerConnections } from '../server/connections.ts'
import type { DrainSettings } from './options.ts'

/** Handlers that ask to be cancelled learn of it this soon. */
const cancelWatchMs = 50
/** The lease is never renewed, so it outlasts the drain. */
const leaseBeyondMs = 60_000
/** How far a claim looks beyond rescued jobs that must not run beside each other. */
const lookahead = 500

/** The parts of a worker that run jobs, without those that decide when: claims happen when they are asked for. */
export interface DrainSession {
  readonly types: readonly string[]
  /** Enqueues what is due of every schedule; how many jobs are new. */
  tick(): Promise<number>
  /** Claims up to `limit` due jobs, the most urgent first. */
  claim(limit: number): Promise<ClaimedJob[]>
  /** Runs a claimed job and settles it. */
  run(job: ClaimedJob): Promise<void>
  /** Aborts what runs: it is handed back, uncharged. */
  abort(): void
  close(): Promise<void>
}

export async function openDrainSession(
  { queue, writer }: WorkerConnections,
  handlers: readonly Handler[],
  { maxConcurrent, timeoutMs, emit }: Pick<DrainSettings, 'maxConcurrent' | 'timeoutMs'> & { emit: OnWorkerEvent },
): Promise<DrainSession> {
  const leaseMs = timeoutMs + leaseBeyondMs
  const settings = resolveOptions({ connection: {}, handlers, maxConcurrent, leaseMs, pollIntervalMs: cancelWatchMs, host: 'drain' })
  const types = [...settings.handlers.keys()]
  const session = createSession(randomUUID(), leaseMs, monotonicMs())
  const completions = createCompletions(() => {})
  const runtime: Runtime = {
    ...{ settings, queue, lifeline: queue, writer, session, emit, active: new Map(), apart: createApart(session) },
    zombies: { add: () => {} },
    ...{
      gate: createConnectGate(),
      pooling: createPooling({}, { given: 'session' }),
      outage: createOutage(emit),
      writing: (settle) => settle(),
    },
    complete: (completion) => completions.add(completion),
    settleEnded: joinEndings(queue),
  }
  const registration = {
    ...{ id: session.id, host: settings.host, pid: process.pid, version: null, types, slots: maxConcurrent, leaseMs },
    services: servicesByType(settings.handlers),
  }
  await registerWorker(queue, registration)
  const cancelWatch = startCancelWatch(runtime)
  const held = new Set<ClaimedJob>()
  // One after the other: a run must not go on while another's statement settles it.
  let settling = Promise.resolve()
  const failed = new Map<string, number>()
  return {
    types,
    tick: async () => (await tickSchedules({ queue, emit, failed })).created,
    claim: (limit) => claim(queue, { workerId: session.id, types, limit, held: [...held] }),
    async run(job) {
      held.add(job)
      await runJob(runtime, job, settings.handlers.get(job.job_type) as Handler)
      settling = settling.then(() => flush(runtime, completions))
      await settling
      held.delete(job)
    },
    abort() {
      for (const run of runtime.active.values()) run.abort('stopping')
    },
    async close() {
      await cancelWatch.stop()
      await deregisterWorker(queue, session.id)
    },
  }
}

async function claim(
  queue: QueueConnection,
  { held, limit, ...who }: { workerId: string; types: readonly string[]; limit: number; held: readonly ClaimedJob[] },
): Promise<ClaimedJob[]> {
  const rescued = held.filter((job) => job.rescues > 0)
  const { alive, claimed } = await settleAndClaim(queue, {
    ...{ ...who, completed: [], starting: [], limit, claim: 0, freeSlots: limit, lookahead, byType: false },
    ...{ rescuedHeld: rescued.length, lastChanceHeld: rescued.some((job) => job.attempts >= job.max_attempts) },
  })
  if (!alive) throw new Error('drain: its row of job_workers is gone. Something removed it while jobs ran (clearQueue?).')
  return claimed
}
