import { describeError } from '../../errors/describe-error.ts'
import type { Repetition } from '../repeat.ts'
import type { Runtime } from '../runtime.ts'
import type { HeartbeatNews } from './heartbeat-thread.ts'
import { askToRenew } from './renew.ts'
import { createStandIn, type StandIn } from './stand-in.ts'
import { retryMs, startBeating } from './start-beating.ts'
import { startThread } from './start-thread.ts'
import { startTicking } from './start-ticking.ts'

/**
 * Renews the lease from a thread of its own, so that a handler that blocks the event loop does not cost it, and ends the session when
 * it is lost. Where no thread can be had, from this event loop; that is told.
 */
export function startHeartbeat(runtime: Runtime): Repetition {
  const ticking = startTicking(runtime)
  const standIn = createStandIn(runtime)
  const looking = setInterval(() => void standIn.look(), retryMs(runtime.session.leaseMs))
  let beating: Repetition | undefined
  let stopped = false
  const beatHere = (error: unknown) => {
    if (stopped) return
    clearInterval(looking)
    runtime.emit({ name: 'heartbeat.inline', error: describeError(error) })
    beating = startBeatingHere(runtime)
  }
  try {
    beating = startThread(heartbeatTask(runtime), { onNews: (news) => hear(runtime, standIn, news), onEnd: beatHere })
  } catch (error) {
    beatHere(error)
  }
  return {
    async stop() {
      stopped = true
      clearInterval(looking)
      await Promise.all([ticking.stop(), beating?.stop()])
    },
  }
}

function heartbeatTask({ settings, session, pooling }: Runtime) {
  return {
    ...{
      connection: settings.connection,
      pooler: pooling.mode,
      queryTimeoutMs: lifelineTimeoutMs(settings.leaseMs),
      maxLoopBlockMs: settings.maxLoopBlockMs,
    },
    ...{ workerId: session.id, leaseMs: session.leaseMs, memory: session.memory.buffer },
  }
}

/** How long a renewal may take: there must be time for another before the lease is over. */
export function lifelineTimeoutMs(leaseMs: number): number {
  return Math.max(1_000, leaseMs / 3)
}

function hear({ session, outage }: Runtime, standIn: StandIn, news: HeartbeatNews): void {
  if (news.kind === 'lost') session.lose()
  else if (news.kind === 'failed') void standIn.failed(news.error)
  else {
    standIn.leave()
    outage.back('heartbeat')
  }
}

function startBeatingHere(runtime: Runtime): Repetition {
  const { session, settings, outage } = runtime
  return startBeating({
    ...{ memory: session.memory, leaseMs: session.leaseMs, maxLoopBlockMs: settings.maxLoopBlockMs },
    renew: (loopSilentMs) => askToRenew(runtime, loopSilentMs),
    onRenewed: () => outage.back('heartbeat'),
    onLost: () => session.lose(),
    onError: (error) => outage.lost('heartbeat', error),
  })
}
