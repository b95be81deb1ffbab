import { defineJob, enqueueMany, PermanentError } from '@sidelinja/jobs-core'
import { createWorker, defineHandler } from '@sidelinja/jobs-core/worker'
import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { useAdmin } from './support.ts'
import { createRandom } from './tenants/random.ts'

const clients = 20
const jobs = 60
const clicks = 75
const admin = useAdmin()
const definition = defineJob({ type: 'races', payload: z.object({ fails: z.boolean(), ms: z.number() }), maxAttempts: 2 })

/** Every change of a state and every entry of the audit, with the transaction it was made in and by which program. */
beforeAll(async () => {
  await admin.database.query(`
    create table state_history (
      id bigint generated always as identity, job_id uuid, before text, after text, asked boolean, xid xid8, program text);
    create function note_state() returns trigger language plpgsql security definer as $$
      begin
        insert into public.state_history (job_id, before, after, asked, xid, program)
        values (new.id, old.status, new.status, old.cancel_requested_at is null and new.cancel_requested_at is not null, pg_current_xact_id(),
          current_setting('application_name'));
        return null;
      end $$;
    create trigger note_state after update on job_queue for each row
      when (old.status is distinct from new.status or old.cancel_requested_at is distinct from new.cancel_requested_at) execute function note_state();
    alter table job_audit add column xid xid8 default pg_current_xact_id();`)
})

interface Change {
  job_id: string
  before: string
  after: string
  asked: boolean
  xid: string
  program: string
}

test(`${clients} people who retry and cancel what a worker claims and completes: one winner for each change, and the audit is its history`, {
  timeout: 180_000,
}, async () => {
  const handler = defineHandler(definition, async ({ payload, signal }) => {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, payload.ms)
      signal.addEventListener('abort', () => resolve(clearTimeout(timer)))
    })
    signal.throwIfAborted()
    if (payload.fails) throw new PermanentError('IT_FAILS', 'As it should.')
  })
  const payloads = Array.from({ length: jobs }, (_, n) => ({ payload: { fails: n % 3 > 0, ms: n % 10 } }))
  const added = await enqueueMany(admin.database.db, definition, payloads, { collectionNodeId: admin.mine })
  const worker = createWorker({ connection: admin.database.connectionString, handlers: [handler], maxConcurrent: 5, pollIntervalMs: 20 })
  await worker.start()
  const ids = added.map(({ id }) => id)
  const answers = (await Promise.all(Array.from({ length: clients }, (_, client) => click(client, ids)))).flat()
  await expect.poll(busy, { timeout: 30_000 }).toBe(0)
  await worker.stop()
  expect(answers.every((status) => [200, 202, 409].includes(status))).toBe(true)
  await expectOneHistory(answers)
})

async function click(client: number, ids: readonly string[]): Promise<number[]> {
  const random = createRandom(client)
  const answers: number[] = []
  for (let n = 0; n < clicks; n++) {
    const { status } = await admin.post(admin.user, random.pick(['retry_job', 'cancel_job']), { job_id: random.pick(ids) })
    answers.push(status)
  }
  return answers
}

async function busy(): Promise<number | null> {
  return (await admin.database.query(`select from job_queue where status in ('pending', 'running')`)).rowCount
}

async function expectOneHistory(answers: readonly number[]): Promise<void> {
  const history = (await admin.database.query<Change>('select * from state_history order by id')).rows
  const { rows: audit } = await admin.database.query<Record<string, string>>('select *, xid::text from job_audit order by id')
  expect(audit).toHaveLength(answers.length)
  expect(count(audit, ({ outcome }) => outcome === 'refused')).toBe(count(answers, (status) => status === 409))
  const byPeople = history.filter(({ program }) => program === 'sidelinja-jobs admin')
  // Each change by a person has one entry in its transaction, which says the same; each entry that says so has its change.
  const applied = audit.filter(({ outcome }) => outcome === 'applied')
  const line = (one: { job_id?: string; xid?: string }, before?: string, after?: string) => [one.xid, one.job_id, before, after].join(' ')
  expect(
    byPeople
      .filter(({ before, after }) => before !== after)
      .map((one) => line(one, one.before, one.after))
      .toSorted(),
  ).toEqual(applied.map((entry) => line(entry, entry.status_before, entry.status_after)).toSorted())
  expect(applied.length).toBeGreaterThan(clients)
  const from = { retry: ['error', 'cancelled', 'retry'], cancel: ['pending', 'retry'] }
  expect(applied.filter((entry) => !from[entry.action as 'retry' | 'cancel'].includes(entry.status_before as string))).toEqual([])
  const requests = audit.filter(({ outcome }) => outcome === 'requested')
  expect(requests.every((entry) => entry.status_before === 'running')).toBe(true)
  const asked = byPeople.filter((one) => one.asked)
  expect(asked.every(({ xid, job_id }) => requests.some((entry) => entry.xid === xid && entry.job_id === job_id))).toBe(true)
  // No change was lost or made twice: each begins where the one before it ended.
  for (const changes of Map.groupBy(
    history.filter(({ before, after }) => before !== after),
    ({ job_id }) => job_id,
  ).values()) {
    expect(changes.slice(1).map(({ before }) => before)).toEqual(changes.slice(0, -1).map(({ after }) => after))
    expect(changes[0]?.before).toBe('pending')
  }
}

function count<Item>(items: readonly Item[], fits: (item: Item) => boolean): number {
  return items.filter(fits).length
}
