import type { Kysely } from 'kysely'
import type { ConnectGate } from '../database/connect-gate.ts'
import type { Pooling } from '../database/pooling.ts'
import type { QueueConnection } from '../database/queue-connection.ts'
import { registerWorker } from '../queue/register-worker.ts'
import type { ActiveRun } from './active-run.ts'
import { startActivity } from './activity/start-activity.ts'
import { createApart } from './apart.ts'
import { startCancelWatch } from './cancel-watch.ts'
import { startClaimLoop } from './claim-loop.ts'
import { createCompletions } from './completions.ts'
import { createDeadline } from './deadline.ts'
import type { OnWorkerEvent } from './events.ts'
import { monotonicMs } from './heartbeat/monotonic-ms.ts'
import { startHeartbeat } from './heartbeat/start-heartbeat.ts'
import { joinEndings } from './join-endings.ts'
import { startLateStarts } from './late-starts.ts'
import type { WorkerSettings } from './options.ts'
import type { Outage } from './outage.ts'
import { startPageHints } from './page-hints.ts'
import { createPipeline } from './pipeline.ts'
import { createPulse } from './pulse.ts'
import { startRescuer } from './rescuer.ts'
import type { Runtime } from './runtime.ts'
import { startScheduler } from './scheduler.ts'
import { servicesByType } from './service-gate.ts'
import { readDownServices } from './service-watch.ts'
import { createSession } from './session.ts'
import type { Slots } from './slots.ts'
import { stopSession } from './stop-session.ts'
import { startWakeUp } from './wake-up.ts'
import type { Zombies } from './zombies.ts'

export interface SessionParts {
  settings: WorkerSettings
  queue: QueueConnection
  lifeline: QueueConnection
  writer: Kysely<unknown>
  gate: ConnectGate
  pooling: Pooling
  outage: Outage
  writing: Runtime['writing']
  slots: Slots
  emit: OnWorkerEvent
  zombies: Zombies
  id: string
}

export interface RunningSession {
  /** Resolves when the lease is lost and everything of this session has ended. Never resolves otherwise. */
  readonly lost: Promise<void>
  /** Drains for `drainMs`, aborts, hands back, deregisters. Called again it only makes the drain shorter. */
  stop(drainMs: number): Promise<void>
}

/** Registers the worker and starts everything that lives as long as its lease: claiming, heartbeats, rescue, wake-up. */
export async function startSession(parts: SessionParts): Promise<RunningSession> {
  const { settings, queue, slots, emit } = parts
  const types = [...settings.handlers.keys()]
  // Before the first claim, so that it takes no job that could only be put off.
  const down = await readDownServices(parts)
  const session = createSession(parts.id, settings.leaseMs, monotonicMs())
  await registerWorker(queue, {
    id: session.id,
    host: settings.host,
    pid: process.pid,
    version: settings.version,
    types,
    slots: slots.size,
    services: servicesByType(settings.handlers),
    leaseMs: settings.leaseMs,
  })

  const pulse = createPulse()
  const hints = startPageHints(parts.lifeline)
  const activity = startActivity(parts.lifeline, session)
  const runtime: Runtime = {
    ...{ settings, queue, lifeline: parts.lifeline, writer: parts.writer, session, zombies: parts.zombies },
    emit: activity.before(hints.before(emit)),
    ...{ gate: parts.gate, pooling: parts.pooling, outage: parts.outage, writing: parts.writing },
    active: new Map<string, ActiveRun>(),
    ...{ apart: createApart(session), settleEnded: joinEndings(queue) },
    complete: (completion) => completions.add(completion),
  }
  const completions = createCompletions(pulse.wake)
  const pipeline = createPipeline(runtime, slots, pulse.wake)
  const claims = types.length > 0 ? startClaimLoop({ runtime, pipeline, completions, pulse, down }) : undefined
  const cancelWatch = startCancelWatch(runtime)
  const background = [
    startHeartbeat(runtime),
    cancelWatch,
    startLateStarts(runtime),
    startRescuer(runtime, activity),
    startScheduler(runtime),
    ...[hints, activity],
    ...(claims
      ? [startWakeUp(runtime, { wake: claims.wake, lookForCancels: cancelWatch.soon, lookAtServices: claims.lookAtServices })]
      : []),
  ]
  emit({ name: 'worker.started', workerId: session.id, types, maxConcurrent: slots.size })

  const deadline = createDeadline()
  let stopping: Promise<void> | undefined
  const lost = new Promise<void>((resolve) => {
    session.lost.addEventListener('abort', async () => {
      for (const run of runtime.active.values()) run.abort('lease_lost')
      pipeline.drop()
      pulse.wake()
      // The stop goes on from there; at its end it gives the lease up by itself.
      if (stopping) return resolve()
      emit({ name: 'lease.lost', workerId: session.id, running: runtime.active.size })
      await Promise.all(background.map((part) => part.stop()))
      resolve()
    })
  })

  return {
    lost,
    async stop(drainMs) {
      if (session.lost.aborted) return lost
      deadline.within(drainMs)
      stopping ??= stopSession({ runtime, slots, claims, completions, background, deadline })
      await stopping
    },
  }
}
