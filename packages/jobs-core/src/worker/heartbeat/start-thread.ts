import { Worker } from 'node:worker_threads'
import { within } from '../deadline.ts'
import type { Repetition } from '../repeat.ts'
import type { HeartbeatNews, HeartbeatTask } from './heartbeat-thread.ts'

/** A connection that is dead without saying so cannot be closed. */
const patienceMs = 500

/** What the thread needs is known and little; more would be a leak. */
const resourceLimits = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 4 }

export interface ThreadListeners {
  onNews(news: HeartbeatNews): void
  /** The thread ended without being asked to. */
  onEnd(error: unknown): void
}

/**
 * Starts the thread.
 * @throws when its file is missing (in a bundle of somebody else's making) or the connection's settings hold what cannot be handed to a
 * thread, such as functions.
 */
export function startThread(task: HeartbeatTask, { onNews, onEnd }: ThreadListeners): Repetition {
  // Built, it lies beside this file's bundle; see tsup.config.ts.
  const file = new URL(import.meta.url.endsWith('.ts') ? './heartbeat-thread.ts' : './heartbeat-thread.js', import.meta.url)
  const thread = new Worker(file, { workerData: task, resourceLimits, name: 'sidelinja heartbeat' })
  let over = false
  const end = (error: unknown) => {
    if (!over) onEnd(error)
    over = true
  }
  thread.on('message', onNews)
  thread.on('error', end)
  thread.on('exit', (code) => end(new Error(`The heartbeat's thread ended with code ${code}.`)))
  return {
    async stop() {
      if (over) return
      over = true
      // Not events.once: that would throw what the thread throws on its way out.
      const exited = new Promise((resolve) => thread.once('exit', resolve))
      thread.postMessage('stop')
      await within(patienceMs, exited)
      await thread.terminate()
    },
  }
}
