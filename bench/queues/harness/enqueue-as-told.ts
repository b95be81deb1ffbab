import { setTimeout as pause } from 'node:timers/promises'
import { mainType, nowMs, type Producer } from '../contender.ts'
import type { Enqueue } from './messages.ts'

/** How often the paced producer sends, in milliseconds. */
const tickMs = 5

/** @returns how many jobs it has enqueued. */
export async function enqueueAsTold(producer: Producer, enqueue: Enqueue): Promise<number> {
  if (enqueue.how === 'single') return single(producer, enqueue.clients, enqueue.seconds)
  if (enqueue.how === 'bulk') return bulk(producer, enqueue)
  if (enqueue.how === 'paced') return paced(producer, enqueue.perSecond, enqueue.seconds)
  return probes(producer, enqueue.count, enqueue.pauseMs)
}

/** Each client enqueues one job after the other, for a while. */
async function single(producer: Producer, clients: number, seconds: number): Promise<number> {
  const until = nowMs() + seconds * 1_000
  let n = 0
  const client = async () => {
    while (nowMs() < until) await producer.enqueue({ n: ++n })
  }
  await Promise.all(Array.from({ length: clients }, client))
  return n
}

async function bulk(producer: Producer, { jobs, batch, ...options }: Extract<Enqueue, { how: 'bulk' }>): Promise<number> {
  for (let from = 0; from < jobs; from += batch) {
    const items = Array.from({ length: Math.min(batch, jobs - from) }, (_, index) => ({ n: from + index + 1 }))
    await producer.enqueueMany(items, options)
  }
  return jobs
}

/**
 * As many a second, in small statements that do not wait for each other: what is late is sent together. At most eight are under way,
 * so a queue that cannot take the rate gets less of it, and the count says so.
 */
async function paced(producer: Producer, perSecond: number, seconds: number): Promise<number> {
  const startedAt = nowMs()
  const total = perSecond * seconds
  const underWay = new Set<Promise<void>>()
  let sent = 0
  while (nowMs() - startedAt < seconds * 1_000) {
    const due = Math.min(total, Math.ceil(((nowMs() - startedAt) / 1_000) * perSecond))
    if (due > sent && underWay.size < 8) {
      const atMs = nowMs()
      const items = Array.from({ length: Math.min(due - sent, 1_000) }, (_, index) => ({ n: sent + index + 1, atMs }))
      sent += items.length
      const sending = producer.enqueueMany(items, { type: mainType }).finally(() => underWay.delete(sending))
      underWay.add(sending)
    }
    await (underWay.size < 8 ? pause(tickMs) : Promise.race(underWay))
  }
  await Promise.all(underWay)
  return sent
}

/** One job now and then, so that the worker is idle when it comes. */
async function probes(producer: Producer, count: number, [from, to]: [number, number]): Promise<number> {
  for (let n = 1; n <= count; n++) {
    await pause(from + Math.random() * (to - from))
    await producer.enqueue({ n, atMs: nowMs() })
  }
  return count
}
