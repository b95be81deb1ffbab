import { randomUUID } from 'node:crypto'
import { defineJob } from '@sidelinja/jobs-core'
import { defineResultView, type ResultPart } from '@sidelinja/jobs-core/admin'
import { insertJob } from '@sidelinja/jobs-core/testing'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { canaries, encodings, traces } from './canaries.ts'
import { useAdmin } from './support.ts'

const payload = z.looseObject({})
const view = (type: string, read: Parameters<typeof defineResultView>[1]) => defineResultView(defineJob({ type, payload }), read as never)

const texts = canaries.filter((canary) => typeof canary === 'string')
const secrets = [...texts, ...Object.values(encodings).flatMap((encode) => texts.map(encode))]

/** A secret wherever a part may hold a text. */
function everywhere(text: string): ResultPart[] {
  const label = { nb: text, nn: text, en: text }
  return [
    { kind: 'note', tone: 'warn', text },
    {
      kind: 'facts',
      title: text,
      rows: [
        { label: text, value: text },
        { label, value: label },
      ],
    },
    { kind: 'text', title: label, text },
    { kind: 'list', title: text, items: [{ text, who: text, note: text, mark: { text }, quotes: [{ text, who: text }] }] },
    { kind: 'table', title: text, columns: [text], rows: [[text], [label]] },
    { kind: 'waveform', title: text, durationMs: 1, peaks: [-1, 1] },
    { kind: 'transcript', title: text, segments: [{ startMs: 0, endMs: 1, text, speaker: text, doubts: [text] }] },
  ]
}

/** What the view of `given` tells. */
const given: ResultPart[] = []

const admin = useAdmin({
  results: [
    view('drawn', ({ result, job }) => [{ kind: 'text', title: job.id, text: JSON.stringify(result) }]),
    view('given', () => given),
    view('all_jobs', async ({ db }) => {
      const rows = await db.selectFrom('job_queue').select('collection_node_id').execute()
      return [{ kind: 'facts', rows: rows.map(({ collection_node_id: value }) => ({ label: 'collection', value })) }]
    }),
    view('throws', () => Promise.reject(new Error('the view is odd'))),
    view('wrong', () => [{ kind: 'html', text: '<b>' }] as never),
    view('slow', async ({ db }) => {
      await sql`select set_config('statement_timeout', '20', true)`.execute(db)
      await sql`select pg_sleep(5)`.execute(db)
      return []
    }),
  ],
})
const insert = (job_type: string, columns: object = {}) =>
  insertJob(admin.database.db, { collection_node_id: admin.mine, status: 'completed', job_type, result: { n: 1 }, ...columns })
// biome-ignore lint/suspicious/noExplicitAny: answers are looked at by what they hold
const read = async (id: string): Promise<any> => (await admin.get(admin.user, `/${id}/result`)).json()
const none = { parts: [], failed: null, masked: 0, cut: false }

describe('what a finished job came to', () => {
  test('is told by the view of its type, and not told again while it is the same', async () => {
    const { id, run } = await insert('drawn')
    const answer = await admin.get(admin.user, `/${id}/result`)
    expect(await answer.json()).toEqual({ ...none, run, parts: [{ kind: 'text', title: id, text: '{"n":1}', language: null }] })
    const etag = answer.headers.get('etag') as string
    expect((await admin.get(admin.user, `/${id}/result`, { 'if-none-match': etag })).status).toBe(304)
  })

  test('is nothing where no view knows the type, and for a job that is not finished', async () => {
    const { id, run } = await insert('unknown')
    expect(await read(id)).toEqual({ ...none, run })
    for (const status of ['pending', 'running', 'error'] as const) {
      expect(await read((await insert('drawn', { status, result: null })).id)).toEqual({ ...none, run: null })
    }
  })

  test('comes with the page, for who has no scripts', async () => {
    const { id, run } = await insert('drawn')
    const { jobs } = await admin.page.load(admin.event(admin.user, `/admin/jobs/${id}`))
    expect(jobs.sources.result).toMatchObject({ path: `/admin/jobs/${id}/result`, body: { run, parts: [{ kind: 'text' }] }, problem: null })
  })

  test('holds no secret, wherever a view has put it', async () => {
    for (let from = 0; from < secrets.length; from += 5) {
      const parts = secrets.slice(from, from + 5).flatMap(everywhere)
      given.splice(0, given.length, ...parts)
      const text = JSON.stringify(await read((await insert('given')).id))
      expect({ from, left: traces.exec(text)?.[0] }).toEqual({ from, left: undefined })
      expect(text).toContain('***')
    }
  })
})

describe('another collection', () => {
  test('a job of somebody else looks like none, and so for who may not look', async () => {
    const { id } = await insert('drawn', { collection_node_id: admin.foreign })
    const bodies = []
    for (const asked of [id, randomUUID(), 'not-a-uuid']) {
      const answer = await admin.get(admin.user, `/${asked}/result`)
      expect(answer.status).toBe(404)
      bodies.push((await answer.text()).replaceAll(asked, '?'))
    }
    expect(new Set(bodies).size).toBe(1)
    expect((await admin.get(null, `/${id}/result`)).status).toBe(401)
    expect((await admin.get({ ...admin.stranger, rights: [] }, `/${id}/result`)).status).toBe(403)
    expect((await admin.get(admin.stranger, `/${id}/result`)).status).toBe(200)
  })

  test('a view that names no collection sees those of the user alone', async () => {
    const { id } = await insert('all_jobs')
    await insert('drawn', { collection_node_id: admin.foreign })
    const [part] = (await read(id)).parts
    expect(part.rows).toEqual([{ label: 'collection', value: admin.mine }])
  })
})

describe('a view that fails', () => {
  test.each([
    ['throws', 'error', /the view is odd/],
    ['wrong', 'error', /known kind/],
    ['slow', 'too_slow', /statement timeout/],
  ])('because it %s takes nothing away, and the host is told', async (type, failed, message) => {
    const { id, run } = await insert(type)
    expect(await read(id)).toEqual({ ...none, run, failed })
    const { jobs } = await admin.page.load(admin.event(admin.user, `/admin/jobs/${id}`))
    expect(jobs.sources).toMatchObject({ job: { body: { job: { id } } }, result: { body: { failed }, problem: null } })
    const reported = admin.errors.splice(0) as Error[]
    expect(reported.map((error) => message.test(error.message))).toEqual([true, true])
  })
})
