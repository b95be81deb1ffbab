import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { Enqueue, FromChild, Order, ProducerOrder, ToChild, WorkerOrder, WorkerReport } from './messages.ts'

const patienceMs = 120_000

export interface WorkerProcess {
  readonly pid: number
  go(): Promise<void>
  /** How many handlers have ended, as it last told. */
  ended(): number
  /** Of what happened since the last report. */
  report(): Promise<WorkerReport>
  stop(): Promise<void>
  kill(): Promise<void>
}

export interface ProducerProcess {
  enqueue(enqueue: Enqueue): Promise<{ jobs: number; seconds: number }>
  stop(): Promise<void>
}

/** A worker process that has loaded its code and waits for `go()`. */
export async function spawnWorker(order: Omit<WorkerOrder, 'role'>): Promise<WorkerProcess> {
  const child = await spawn({ role: 'worker', ...order })
  let ended = 0
  child.process.on('message', (message: FromChild) => {
    if (message.tell === 'ended') ended = message.total
  })
  return {
    pid: child.process.pid ?? 0,
    go: async () => void (await child.ask({ ask: 'go' }, 'started')),
    ended: () => ended,
    report: async () => (await child.ask({ ask: 'report' }, 'report')).report,
    stop: child.stop,
    kill: child.kill,
  }
}

/** A producer process with its connections open. */
export async function spawnProducer(order: Omit<ProducerOrder, 'role'>): Promise<ProducerProcess> {
  const child = await spawn({ role: 'producer', ...order })
  await child.ask({ ask: 'go' }, 'started')
  return {
    enqueue: (enqueue) => child.ask({ ask: 'enqueue', enqueue }, 'enqueued', Number.POSITIVE_INFINITY),
    stop: child.stop,
  }
}

async function spawn(order: Order) {
  const file = new URL('./child.ts', import.meta.url).pathname
  // As it is deployed: the built packages, not their source.
  const child = fork(file, [JSON.stringify(order)], { execArgv: [], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  await told(child, 'ready', patienceMs)
  const ask = async <Tell extends FromChild['tell']>(message: ToChild, tell: Tell, waitMs = patienceMs) => {
    const answer = told(child, tell, waitMs)
    child.send(message)
    return answer
  }
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
  }
  const stop = async () => {
    if (!child.connected) return
    await ask({ ask: 'stop' }, 'stopped')
    await kill()
  }
  return { process: child, ask, kill, stop }
}

/** @throws when the child says that it failed, ends, or says nothing for too long. */
function told<Tell extends FromChild['tell']>(
  child: ChildProcess,
  tell: Tell,
  waitMs: number,
): Promise<Extract<FromChild, { tell: Tell }>> {
  const { promise, resolve, reject } = Promise.withResolvers<Extract<FromChild, { tell: Tell }>>()
  const hear = (message: FromChild) => {
    if (message.tell === tell) resolve(message as Extract<FromChild, { tell: Tell }>)
    if (message.tell === 'failed') reject(new Error(`A process of the measurement failed: ${message.error}`))
  }
  const gone = () => reject(new Error(`A process of the measurement ended while it should have said ${tell}.`))
  const late = () => reject(new Error(`A process of the measurement did not say ${tell} within ${waitMs} ms.`))
  const timer = Number.isFinite(waitMs) ? setTimeout(late, waitMs) : undefined
  child.on('message', hear).once('exit', gone)
  return promise.finally(() => {
    clearTimeout(timer)
    child.off('message', hear).off('exit', gone)
  })
}
