import { cancelJob } from '@sidelinja/jobs-core/admin'
import { waitForJob } from '@sidelinja/jobs-core/testing'
import { describe, expect, test, vi } from 'vitest'
import type { Fault } from '../../src/testing/index.ts'
import { token, useStatuses } from './support.ts'

const statuses = useStatuses()
const { add, reports, release, start } = statuses
const row = (id: string) => statuses.spacetime.rows.get(id)
const seen = (id: string, expected: object) => vi.waitFor(() => expect(row(id)).toMatchObject(expected), { timeout: 10_000, interval: 10 })
const history = (id: string) => statuses.spacetime.committed.filter(({ job_id }) => job_id === id).map(({ status }) => status)

describe('statuses reach SpacetimeDB', () => {
  test('while a job runs, and when it is completed', async () => {
    await start()
    const id = await add('waits')
    await seen(id, {
      ...{ job_id: id, collection_id: statuses.collectionNodeId, job_type: 'a_job', status: 'running', attempt: 1, max_attempts: 3 },
      ...{ progress: 0.25, message_no: 'Transkriberer' },
    })
    release()
    await seen(id, { status: 'completed', progress: 1, message_no: 'Ferdig', attempt: 1 })
    expect(new Set(history(id))).toEqual(new Set(['running', 'completed']))
    const [request] = statuses.spacetime.requests
    expect(request).toMatchObject({ method: 'POST', path: '/v1/database/sidelinja/call/upsert_job_status', status: 200 })
    expect(request?.headers).toMatchObject({ authorization: `Bearer ${token}`, 'content-type': 'application/json' })
    expect(reports).toEqual([])
  })

  test('when it fails, is tried again, or is cancelled; and never what it failed with', async () => {
    await start()
    const [last, again, cancelled] = await Promise.all([add('fails', 1), add('fails'), add('waits')])
    await seen(last, { status: 'error', message_no: 'Feilet', attempt: 1, max_attempts: 1 })
    await seen(again, { status: 'retry', message_no: 'Prøver igjen', attempt: 1 })
    await seen(cancelled, { status: 'running' })
    await cancelJob(statuses.database.db, cancelled, { collectionNodeIds: [statuses.collectionNodeId] })
    await seen(cancelled, { status: 'cancelled', message_no: 'Avbrutt' })
    expect(statuses.spacetime.requests.map(({ body }) => body).join()).not.toMatch(/secret|does/)
  })

  test('when the worker stops and hands it back: the last ones are sent then', async () => {
    const { worker, publisher } = await start()
    const id = await add('waits')
    await seen(id, { status: 'running' })
    await worker.stop({ drainMs: 0 })
    await publisher.close()
    expect(row(id)).toMatchObject({ status: 'pending', attempt: 0, message_no: 'Venter' })
  })

  test('after an outage: the end, and not what came before', async () => {
    await start()
    const first = await add('quick')
    await seen(first, { status: 'completed' })
    statuses.spacetime.fail({ times: Number.POSITIVE_INFINITY, answer: { status: 503 } })
    const id = await add('waits')
    await vi.waitFor(() => expect(reports).toMatchObject([{ name: 'sink.down' }]), { timeout: 10_000 })
    release()
    await waitForJob(statuses.database.db, id, { status: 'completed' })
    statuses.spacetime.recover()
    await seen(id, { status: 'completed' })
    expect(history(id)).toEqual(['completed'])
    await vi.waitFor(() => expect(reports.map(({ name }) => name)).toEqual(['sink.down', 'sink.back']))
  })
})

const always = { times: Number.POSITIVE_INFINITY }
const faults: [string, Fault | 'refused'][] = [
  ...[400, 401, 402, 403, 404, 503, 530].map((status): [string, Fault] => [
    `answers ${status}`,
    { ...always, answer: { status, body: `Not with the token ${token}, nor with Bearer ${token}` } },
  ]),
  ['hangs', { ...always, hang: 'before-headers' }],
  ['hangs in the middle', { ...always, hang: 'mid-body', answer: { status: 200, body: 'x'.repeat(100) } }],
  ['hangs up', { ...always, drop: 'before-headers' }],
  ['refuses connections', 'refused'],
]

describe('a SpacetimeDB that does not work costs no job anything', () => {
  test.each(faults)('when it %s', async (_name, fault) => {
    const { worker, publisher } = await start(fault === 'refused' ? { url: 'http://127.0.0.1:1' } : {})
    if (fault !== 'refused') statuses.spacetime.fail(fault)
    const [quick, bad, waits] = await Promise.all([add('quick'), add('fails', 1), add('waits')])
    await waitForJob(statuses.database.db, quick, { status: 'completed' })
    await waitForJob(statuses.database.db, bad, { status: 'error' })
    await vi.waitFor(() => expect(reports).toHaveLength(1), { timeout: 10_000 })
    expect(await waitForJob(statuses.database.db, waits, { status: 'running' })).toMatchObject({ attempts: 1 })
    release()
    expect(await waitForJob(statuses.database.db, waits, { status: 'completed' })).toMatchObject({ attempts: 1 })
    const begun = performance.now()
    await worker.stop()
    await publisher.close()
    // A second for what is left, and the worker's own stop; not the pauses of the sink.
    expect(performance.now() - begun).toBeLessThan(5_000)
    expect(reports.map(({ name }) => name)).toEqual(expect.arrayContaining(['sink.down', 'sink.left']))
    expect(reports.filter(({ name }) => name === 'sink.down')).toHaveLength(1)
    expect(JSON.stringify(reports)).not.toContain(token)
  })
})
