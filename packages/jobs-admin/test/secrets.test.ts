import type { JsonValue } from '@sidelinja/jobs-core'
import { insertJob } from '@sidelinja/jobs-core/testing'
import { expect, test } from 'vitest'
import { canaries, encodings, nest, traces } from './canaries.ts'
import { useAdmin } from './support.ts'

const admin = useAdmin()
const auditor = { ...admin.user, rights: ['view', 'act', 'view_raw'] }
const texts = canaries.filter((canary) => typeof canary === 'string')
const encoded = Object.values(encodings).flatMap((encode) => texts.map(encode))

async function expectClean(path: string): Promise<void> {
  const text = await (await admin.get(admin.user, path)).text()
  const shown = encoded.filter((secret) => text.includes(secret) || text.includes(JSON.stringify(secret).slice(1, -1)))
  expect({ path, left: traces.exec(text)?.[0], encoded: shown }).toEqual({ path, left: undefined, encoded: [] })
}

/** One job for each canary, one for each way to hide one in a text. */
async function insertCanaries(): Promise<string[]> {
  const ids: string[] = []
  for (const [n, canary] of canaries.entries()) {
    const json = JSON.stringify(nest(canary, 1 + (n % 8)))
    ids.push((await insertJob(admin.database.db, { collection_node_id: admin.mine, status: 'completed', payload: json, result: json })).id)
  }
  for (const [n, text] of [...texts, ...encoded].entries()) {
    const job = await insertJob(admin.database.db, {
      ...{ collection_node_id: admin.mine, status: 'error', error_msg: `It answered: ${text}`, payload: { text }, progress_text: text },
      ...{ correlation_id: `${n} ${text}`.slice(0, 200), unique_key: `${n} ${text}` },
    })
    await admin.database.query(`update job_attempts set error_stack = $2 where job_id = $1`, [job.id, `at f (${text})`])
    ids.push(job.id)
  }
  return ids
}

test('fifty secrets, at depths from 1 to 8, in lists, keys and encodings, stand in no answer', { timeout: 120_000 }, async () => {
  const ids = await insertCanaries()
  await admin.database.query(
    `insert into job_schedules (collection_node_id, name, job_type, payload, every_seconds, error_msg) select $1, n::text, 'a', c, 60, 'x: ' || t
     from (select ordinality n, value c from jsonb_array_elements($2::jsonb) with ordinality) a join unnest($3::text[]) with ordinality b (t, n) using (n)`,
    [admin.mine, JSON.stringify(canaries), texts],
  )
  for (const [n, reason] of texts.entries()) {
    const answer = await admin.post(admin.user, n % 2 ? 'retry_job' : 'cancel_job', { job_id: ids[n], reason })
    expect(await answer.text()).not.toMatch(traces)
    const paused = await admin.post(admin.user, 'pause_jobs', { collection_id: admin.mine, type: `type_${n}`, reason })
    expect(await paused.text()).not.toMatch(traces)
    const frozen = await admin.post(admin.user, 'preview_bulk', { action: 'retry', filter: { search: reason.slice(0, 200) }, reason })
    const { bulk_id } = (await frozen.json()) as { bulk_id: string }
    await expectClean(`/bulk/${bulk_id}`)
  }
  for (const path of [
    '?limit=200',
    '?limit=200&offset=200',
    '/errors',
    '/counts',
    '/audit?limit=200',
    '/schedules?limit=200',
    '/pauses',
    '/workers',
  ]) {
    await expectClean(path)
  }
  for (const id of ids) {
    await expectClean(`/${id}`)
    await expectClean(`/${id}/explain`)
  }
})

test('unmasked they are for who has the right, and each look is noted', async () => {
  const secret: JsonValue = { deep: [{ password: 'CANARY' }] }
  const { id } = await insertJob(admin.database.db, { collection_node_id: admin.mine, payload: secret })
  const { id: foreign } = await insertJob(admin.database.db, { collection_node_id: admin.foreign, payload: secret })
  expect((await admin.get(admin.user, `/${id}/raw`)).status).toBe(403)
  for (let look = 0; look < 3; look++)
    expect(await (await admin.get(auditor, `/${id}/raw`)).json()).toEqual({ payload: secret, result: null })
  expect((await admin.get(auditor, `/${foreign}/raw`)).status).toBe(404)
  const { rows } = await admin.database.query('select action, outcome, actor, job_id from job_audit')
  expect(rows).toEqual(Array(3).fill({ action: 'read_raw', outcome: 'applied', actor: auditor.userId, job_id: id }))
})
