import { readFileSync } from 'node:fs'
import { insertJob } from '@sidelinja/jobs-core/testing'
import { expect, test } from 'vitest'
import { useAdmin } from '../support.ts'

const admin = useAdmin()
const read = (name: string) => readFileSync(new URL(`../fixtures/${name}`, import.meta.url), 'utf8')
const lines = read('a21-error-messages.txt').trim().split('\n')
const payload = JSON.parse(read('a21-payload.json')) as object

test('markup in errors, payload and type comes back as the text it is, as JSON that no browser takes for a page', async () => {
  for (const line of lines) {
    const { id } = await insertJob(admin.database.db, {
      ...{ collection_node_id: admin.mine, job_type: '<b>x</b>', status: 'error', error_msg: line, payload, correlation_id: line },
    })
    for (const path of ['', `/${id}`, `/${id}/explain`, '/errors', '/counts', `?search=${encodeURIComponent(line)}`]) {
      const answer = await admin.get(admin.user, path)
      expect([path, answer.status, answer.headers.get('content-type')]).toEqual([path, 200, 'application/json'])
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
      expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
    }
    const { job } = (await (await admin.get(admin.user, `/${id}`)).json()) as { job: object }
    expect(job).toMatchObject({ job_type: '<b>x</b>', error_msg: line, payload, correlation_id: line })
  }
  const { jobs } = (await (await admin.get(admin.user, '?type=%3Cb%3Ex%3C%2Fb%3E')).json()) as { jobs: { error_msg: string }[] }
  expect(jobs.map(({ error_msg }) => error_msg).toSorted()).toEqual(lines.toSorted())
})

test('a refusal that repeats it is JSON, too', async () => {
  for (const line of lines) {
    const answer = await admin.get(admin.user, `?status=${encodeURIComponent(line)}`)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([400, 'application/problem+json'])
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
  }
})
