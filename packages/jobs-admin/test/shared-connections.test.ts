import { randomUUID } from 'node:crypto'
import { insertJob, insertNode } from '@sidelinja/jobs-core/testing'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { type TestUser, useAdmin } from './support.ts'

const connections = 2
const admin = useAdmin({}, { max: connections })

test('fifty users on two connections: of a thousand requests that run into one another each sees its own, and no connection remembers anybody', async () => {
  const users = await Promise.all(Array.from({ length: 50 }, makeUser))
  const ask = async (n: number) => {
    const { user, jobId } = users[(n * 7) % users.length] as Owner
    if (n % 10 === 3) return expect((await admin.get(user, '?cursor=broken')).status).toBe(400)
    if (n % 10 === 5) return expect((await admin.post(user, 'retry_job', { job_id: jobId })).status).toBe(409)
    if (n % 10 === 7)
      return expect((await admin.get(user, `/${users[n % 50]?.jobId}`)).status).toBe(users[n % 50]?.jobId === jobId ? 200 : 404)
    const { jobs } = (await (await admin.get(user, '')).json()) as { jobs: { id: string }[] }
    expect(jobs.map(({ id }) => id)).toEqual([jobId])
  }
  // A hundred at a time: whoever waits ten seconds for a connection is turned away.
  for (let wave = 0; wave < 10; wave++) await Promise.all(Array.from({ length: 100 }, (_, n) => ask(100 * wave + n)))
  const remembered = await onEachConnection()
  expect(remembered).toHaveLength(connections)
  expect(new Set(remembered.map(({ pid }) => pid)).size).toBe(connections)
  expect(remembered.every(({ user, timeout }) => !user && timeout === '0')).toBe(true)
})

interface Owner {
  user: TestUser
  jobId: string
}

async function makeUser(): Promise<Owner> {
  const user = { userId: randomUUID() }
  const { id: collection } = await insertNode(admin.database.db)
  await admin.giveAccess(user, collection, 'owner')
  const { id: jobId } = await insertJob(admin.database.db, { collection_node_id: collection })
  return { user, jobId }
}

/** Takes all connections at once, and asks each what it remembers. */
async function onEachConnection() {
  let held = 0
  const all = Promise.withResolvers<void>()
  return Promise.all(
    Array.from({ length: connections }, () =>
      admin.web.db.connection().execute(async (connection) => {
        const { rows } = await sql<{ pid: number; user: string | null; timeout: string }>`
          select pg_backend_pid() as pid, current_setting('app.user_id', true) as user, current_setting('statement_timeout') as timeout`.execute(
          connection,
        )
        held++
        if (held === connections) all.resolve()
        await all.promise
        return rows[0] as { pid: number; user: string | null; timeout: string }
      }),
    ),
  )
}
