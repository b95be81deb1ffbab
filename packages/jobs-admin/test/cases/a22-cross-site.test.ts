import { readFileSync } from 'node:fs'
import { insertJob } from '@sidelinja/jobs-core/testing'
import { beforeEach, expect, test } from 'vitest'
import { useAdmin } from '../support.ts'

const admin = useAdmin()
const page = readFileSync(new URL('../fixtures/a22-cross-site.html', import.meta.url), 'utf8')
const site = {
  cross: { 'sec-fetch-site': 'cross-site', origin: 'https://other.example' },
  ours: { 'sec-fetch-site': 'same-origin', origin: 'https://admin.example.org' },
}
let id: string

beforeEach(async () => {
  id = (await insertJob(admin.database.db, { collection_node_id: admin.mine, status: 'error' })).id
})

async function expectUntouched(): Promise<void> {
  const { rows } = await admin.database.query('select status, (select count(*)::int from job_audit) as noted from job_queue')
  expect(rows).toEqual([{ status: 'error', noted: 0 }])
}

/** As the form of the file sends it: name=value, which together are JSON. */
function formAsText(): string {
  const [, name, value] = /name='([^']+)' value='([^']+)'/.exec(page) as unknown as [string, string, string]
  return `${name.replace('00000000-0000-4000-8000-00000000dead', id)}=${value}\r\n`
}

const json = () => JSON.stringify({ job_id: id })
const variants: [string, number, () => RequestInit][] = [
  [
    'the form of the file, as text/plain',
    403,
    () => ({ method: 'POST', headers: { ...site.cross, 'content-type': 'text/plain' }, body: formAsText() }),
  ],
  ['a urlencoded form', 403, () => ({ method: 'POST', headers: site.cross, body: new URLSearchParams({ job_id: id }) })],
  ['a multipart form', 403, () => ({ method: 'POST', headers: site.cross, body: formOf({ job_id: id }) })],
  ['TEXT/PLAIN; x', 403, () => ({ method: 'POST', headers: { ...site.cross, 'content-type': 'TEXT/PLAIN; x' }, body: json() })],
  [
    'fetch no-cors',
    403,
    () => ({ method: 'POST', headers: { ...site.cross, 'sec-fetch-mode': 'no-cors', 'content-type': 'text/plain' }, body: json() }),
  ],
  ['JSON of another site', 403, () => ({ method: 'POST', headers: { ...site.cross, 'content-type': 'application/json' }, body: json() })],
  ['Origin: null', 403, () => ({ method: 'POST', headers: { origin: 'null', 'content-type': 'application/json' }, body: json() })],
  ['neither header', 403, () => ({ method: 'POST', headers: { 'content-type': 'application/json' }, body: json() })],
  ['GET', 405, () => ({ headers: site.ours })],
  ['HEAD', 405, () => ({ method: 'HEAD', headers: site.ours })],
  [
    'our own page, as text/plain',
    415,
    () => ({ method: 'POST', headers: { ...site.ours, 'content-type': 'TEXT/PLAIN; x' }, body: json() }),
  ],
  ['our own page, as a form', 415, () => ({ method: 'POST', headers: site.ours, body: new URLSearchParams({ job_id: id }) })],
]

test.each(variants)('%s: %i, and the job is as it was', async (_name, status, request) => {
  for (const intention of ['retry_job', 'cancel_job']) {
    const answer = await admin.send(admin.user, `/intentions/${intention}`, request())
    expect([intention, answer.status]).toEqual([intention, status])
  }
  await expectUntouched()
  // Where the page's origin is set wrong the host is told; none of these is that.
  expect(admin.errors).toEqual([])
})

test('the button of our own page works', async () => {
  expect((await admin.post(admin.user, 'retry_job', { job_id: id })).status).toBe(200)
  const { rows } = await admin.database.query('select status from job_queue')
  expect(rows).toEqual([{ status: 'pending' }])
})

function formOf(fields: Record<string, string>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  return form
}
