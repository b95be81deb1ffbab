import { defineJob, enqueueByType } from '@sidelinja/jobs-core'
import { clearQueue, createTestDatabase, insertNode, type TestDatabase } from '@sidelinja/jobs-core/testing'
import { createWorker, defineHandler, type Worker } from '@sidelinja/jobs-core/worker'
import { afterAll, afterEach, beforeAll, inject } from 'vitest'
import { z } from 'zod'
import { createSpacetimeSink, createStatusPublisher, type StatusLimits, type StatusPublisher, type StatusReport } from '../../src/index.ts'
import { type SpacetimeStandIn, startSpacetimeStandIn } from '../../src/testing/index.ts'

/** As tokens look, so that what masks tokens knows it. */
export const token = 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJ3b3JrZXIifQ.c2lnbmF0dXJl'

const definition = defineJob({ type: 'a_job', payload: z.object({ does: z.string() }) })

/** A queue, a worker whose jobs do as their payload says, a stand-in for SpacetimeDB, and a publisher between them. */
export function useStatuses() {
  let database: TestDatabase
  let collectionNodeId = ''
  let spacetime: SpacetimeStandIn
  let release = Promise.withResolvers<void>()
  const reports: StatusReport[] = []
  const closing: (() => Promise<unknown>)[] = []

  beforeAll(async () => {
    database = await createTestDatabase(inject('server'))
    collectionNodeId = (await insertNode(database.db)).id
  })
  afterEach(async () => {
    release.resolve()
    for (const close of closing.splice(0).reverse()) await close()
    reports.length = 0
    release = Promise.withResolvers()
    await clearQueue(database)
  })
  afterAll(() => database.drop())

  const handler = defineHandler(definition, async ({ payload, signal, progress }) => {
    progress(0.25, 'Transkriberer')
    if (payload.does === 'fails') throw new Error('a secret text')
    if (payload.does === 'quick') return { result: 'a secret result' }
    const aborted = new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    await Promise.race([release.promise, aborted])
    return { result: 'a secret result' }
  })

  return {
    reports,
    token,
    get spacetime() {
      return spacetime
    },
    get database() {
      return database
    },
    get collectionNodeId() {
      return collectionNodeId
    },
    /** Lets the jobs that wait end. */
    release: () => release.resolve(),
    add: async (does: 'waits' | 'fails' | 'quick', maxAttempts = 3) =>
      (await enqueueByType(database.db, 'a_job', { does }, { collectionNodeId, maxAttempts })).id,
    async start({
      limits,
      url,
    }: {
      limits?: Partial<StatusLimits>
      url?: string
    } = {}): Promise<{ worker: Worker; publisher: StatusPublisher }> {
      spacetime = await startSpacetimeStandIn({ database: 'sidelinja', token })
      const sink = createSpacetimeSink({ url: new URL(url ?? spacetime.url), database: 'sidelinja', token })
      const publisher = createStatusPublisher({ sink, onReport: (report) => reports.push(report), limits })
      const worker = createWorker({
        connection: database.connectionString,
        handlers: [handler],
        maxConcurrent: 3,
        onEvent: publisher.onEvent,
      })
      closing.push(
        () => spacetime.close(),
        () => publisher.close(),
        () => worker.stop({ drainMs: 0 }),
      )
      await worker.start()
      return { worker, publisher }
    },
  }
}
