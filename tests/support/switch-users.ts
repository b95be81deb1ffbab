import { waitForJob } from '@sidelinja/jobs-core/testing'
import pg from 'pg'
import { expect, vi } from 'vitest'
import { openPage } from './admin-page.ts'

const WAIT = { timeout: 20_000, interval: 100 }

/** Looks at the admin page of `npm start` as one user and as the other, and retries what failed; returns its address. */
export async function switchUsers(output: string, databaseUrl: string): Promise<string> {
  const [, address = ''] = /^Admin page: +(http:\S+)$/m.exec(output) ?? []
  const page = openPage(address)
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const seen: Record<string, string[]> = {}
    for (const [name, title, more, schedules] of [
      ['Kari', 'Sample podcast', ['retry'], ['previews', 'statistics']],
      ['Ola', 'Sample newsroom', [], ['night news']],
    ] as const) {
      await page.signInAs(name)
      // What has just been enqueued is on its way there.
      const states = new Set(['running', 'error', 'completed', 'pending', ...more])
      const jobs = await vi.waitFor(async () => {
        const read = await page.jobs()
        expect(new Set(read.map(({ status }) => status))).toEqual(states)
        return read
      }, WAIT)
      const { rows } = await client.query('select id from nodes where title = $1', [title])
      expect(new Set(jobs.map((job) => job.collection_node_id))).toEqual(new Set([rows[0].id]))
      expect(jobs.find(({ status, progress }) => status === 'running' && progress !== null)).toBeDefined()
      expect(await page.schedules()).toEqual(schedules)
      seen[name] = jobs.map(({ id }) => id)
    }
    expect(seen.Kari?.filter((id) => seen.Ola?.includes(id))).toEqual([])

    const failed = (await page.jobs()).find(({ status }) => status === 'error')?.id ?? ''
    expect(await page.retry(failed)).toBe(200)
    expect(await waitForJob(client, failed, { status: 'completed' })).toMatchObject({ result: { title: 'Morning news' } })
  } finally {
    await client.end()
  }
  return address
}
