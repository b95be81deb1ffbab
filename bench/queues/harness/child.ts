import { type Contender, type JobData, nowMs, type Producer, type RunningWorker } from '../contender.ts'
import { loadContender } from '../contenders.ts'
import { watchClaims } from './claim-times.ts'
import { enqueueAsTold } from './enqueue-as-told.ts'
import type { FromChild, Order, ProducerOrder, ToChild, WorkerOrder } from './messages.ts'
import { percentiles } from './numbers.ts'

/** A process of its own: one worker, or one producer, of one contender. Told what to do by its parent. */
const order = JSON.parse(process.argv[2] ?? '{}') as Order
const tell = (message: FromChild) => process.send?.(message)
process.on('disconnect', () => process.exit(1)) // the parent is gone

const contender = await loadContender(order.contender)
const answer = order.role === 'worker' ? worker(contender, order) : producer(contender, order)
process.on('message', (message: ToChild) => {
  answer(message).catch((error) => tell({ tell: 'failed', error: error instanceof Error ? (error.stack ?? error.message) : String(error) }))
})
tell({ tell: 'ready' })

function worker(contender: Contender, { connectionString, type, task, failEvery }: WorkerOrder): (message: ToChild) => Promise<void> {
  let running: RunningWorker | undefined
  const counts = { started: 0, ended: 0 }
  let pickUps: number[] = []
  let claims: number[] = []
  let isTelling = false
  watchClaims(contender.client, contender.isClaim, (ms) => claims.push(ms))

  const onStart = ({ atMs }: JobData) => {
    counts.started++
    if (atMs !== undefined) pickUps.push(nowMs() - atMs)
  }
  // No timer while nothing ends: idle cost is measured too.
  const onEnd = () => {
    counts.ended++
    if (isTelling) return
    isTelling = true
    setTimeout(() => {
      isTelling = false
      tell({ tell: 'ended', total: counts.ended })
    }, 20)
  }
  return async ({ ask }) => {
    if (ask === 'go') {
      running = await contender.startWorker({ connectionString, type, task, failEvery, onStart, onEnd })
      tell({ tell: 'started' })
    } else if (ask === 'report') {
      const { user, system } = process.cpuUsage()
      const rssMb = process.memoryUsage().rss / 1_048_576
      const report = { ...counts, pickUp: percentiles(pickUps), claims: percentiles(claims), rssMb, cpuMs: (user + system) / 1_000 }
      pickUps = []
      claims = []
      tell({ tell: 'report', report })
    } else if (ask === 'stop') {
      await running?.stop()
      tell({ tell: 'stopped' })
    }
  }
}

function producer(contender: Contender, { connectionString }: ProducerOrder): (message: ToChild) => Promise<void> {
  let opened: Producer | undefined
  return async (message) => {
    if (message.ask === 'go') {
      opened = await contender.openProducer(connectionString, 8)
      tell({ tell: 'started' })
    } else if (message.ask === 'enqueue' && opened) {
      const startedAt = nowMs()
      const jobs = await enqueueAsTold(opened, message.enqueue)
      tell({ tell: 'enqueued', jobs, seconds: (nowMs() - startedAt) / 1_000 })
    } else if (message.ask === 'stop') {
      await opened?.close()
      tell({ tell: 'stopped' })
    }
  }
}
