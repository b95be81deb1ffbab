import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, inject, test } from 'vitest'
import { travel } from '../../src/testing/index.ts'
import { useQueue } from '../support/use-queue.ts'
import { killProcesses, startProcess } from '../support/worker-process.ts'

const queue = useQueue()
afterEach(killProcesses)

/** Twenty by `npm run cases`. */
const rounds = inject('fullCases') ? 20 : 3
const webProcess = fileURLToPath(new URL('../fixtures/web-process.ts', import.meta.url))

async function startWeb(): Promise<void> {
  const schedule = { collectionNodeId: queue.collectionNodeId, name: 'periodic', everySeconds: 3_600, unique: { key: 'the-log' } }
  const settings = JSON.stringify({ connection: queue.connectionString, schedule })
  const child = spawn(process.execPath, ['--conditions=@sidelinja/source', webProcess, settings], { stdio: 'inherit' })
  expect(await once(child, 'close')).toEqual([0, null])
}

test('two web applications and two workers, each a process, started together again and again: one job for each tick', {
  timeout: rounds * 20_000,
}, async () => {
  for (let round = 1; round <= rounds; round++) {
    const [first, second] = await Promise.all([
      startProcess(queue.connectionString, { pollIntervalMs: 10 }),
      startProcess(queue.connectionString, { pollIntervalMs: 10 }),
      startWeb(),
      startWeb(),
    ])
    await Promise.race([first, second].map(({ event }) => event('schedule.ticked')))
    for (const worker of [first, second]) worker.signal('SIGTERM')
    await Promise.all([first.ended, second.ended])
    const ticked = [first, second].flatMap(({ events }) => events.filter(({ name }) => name === 'schedule.ticked'))
    expect(ticked).toMatchObject([{ jobs: [{ outcome: 'created' }] }])
    const { rows } = await queue.pool.query(`select status, count(*)::int from job_queue group by 1 order by 1`)
    expect(rows).toEqual([{ status: 'pending', count: 1 }, ...(round > 1 ? [{ status: 'completed', count: round - 1 }] : [])])
    // It has run, and an hour has gone by.
    await queue.pool.query(`update job_queue set status = 'completed', completed_at = now(), unique_held = false where ready`)
    await travel(queue.db, { hours: 1 })
  }
})
