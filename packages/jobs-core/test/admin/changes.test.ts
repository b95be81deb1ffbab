import { expect, test } from 'vitest'
import { z } from 'zod'
import { openAdminDatabase, readJobStates, retryJob, watchChanges } from '../../src/admin/index.ts'
import { defineJob, enqueue } from '../../src/index.ts'
import { waitForJob } from '../../src/testing/index.ts'
import { defineHandler } from '../../src/worker/index.ts'
import { deferred } from '../support/deferred.ts'
import { useQueue } from '../support/use-queue.ts'

const queue = useQueue()
const open = () => openAdminDatabase({ connection: queue.database.connectionString, max: 1 })
const definition = defineJob({ type: 'a_job', payload: z.any() })

test('a worker tells of what its jobs become, while somebody watches and not before', async () => {
  const database = open()
  const changed = deferred<void>()
  let hints = 0
  const watch = watchChanges(database)
  const gate = deferred<void>()
  await queue.startWorker([
    defineHandler(definition, async ({ progress }) => {
      progress(0.5, 'Halvveis')
      await gate.promise
    }),
  ])
  const first = await enqueue(queue.db, definition, 1, { collectionNodeId: queue.collectionNodeId })
  const stop = watch.subscribe(() => {
    if (hints++ > 0) changed.resolve()
  })
  const before = await readJobStates(queue.db, [first.id], 'all')
  while (!(await queue.pool.query('select from job_page_watchers')).rowCount) await new Promise((resolve) => setTimeout(resolve, 20))
  expect(watch.listening).toBe(true)
  gate.resolve()
  await waitForJob(queue.db, first.id)
  // Workers look for watchers every five seconds: until then the page's own polling tells.
  while (hints < 2) {
    await waitForJob(queue.db, (await enqueue(queue.db, definition, 1, { collectionNodeId: queue.collectionNodeId })).id)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  await changed.promise
  expect(await readJobStates(queue.db, [first.id], 'all')).not.toEqual(before)
  stop()
  await watch.close()
  await database.close()
}, 30_000)

test('an action tells at once; a connection that is lost is made again, and what was missed is looked for', async () => {
  const database = open()
  let hints = 0
  const states: boolean[] = []
  const watch = watchChanges(database, { onListening: (listening) => states.push(listening) })
  const stop = watch.subscribe(() => hints++)
  const until = async (count: number) => {
    while (hints < count) await new Promise((resolve) => setTimeout(resolve, 20))
  }
  await until(1)
  const { id } = await queue.insert({ status: 'error' })
  await retryJob(queue.db, id, 'all')
  await until(2)
  await queue.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'sidelinja-jobs page' and datname = current_database()`,
  )
  await until(3)
  expect(states).toEqual([true, false, true])
  stop()
  await watch.close()
  await database.close()
})

test('a flood of notifications is a few hints', async () => {
  const database = open()
  let hints = 0
  const watch = watchChanges(database)
  watch.subscribe(() => hints++)
  while (hints < 1) await new Promise((resolve) => setTimeout(resolve, 20))
  const began = performance.now()
  for (let n = 0; n < 200; n++) await queue.pool.query(`select pg_notify('job_queue_page', '${n}')`)
  const tookMs = performance.now() - began
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(hints).toBeLessThanOrEqual(3 + tookMs / 250)
  await watch.close()
  await database.close()
})
