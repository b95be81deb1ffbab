import type { TestDatabase } from '@sidelinja/jobs-core/testing'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { hostileTexts } from './support/hostile-texts.ts'
import { seedCollections, users } from './support/seeds.ts'
import { chromium, findJob, usePage } from './support/use-page.ts'

if (!chromium) console.log('not run: 4 tests, needs chromium')

const texts = hostileTexts()
const on = usePage(seedHostile)

/** Every text in every field that holds anybody's words. */
async function seedHostile(database: TestDatabase): Promise<void> {
  const { collections } = await seedCollections(database)
  const [mine] = collections
  const say = (sql: string, ...values: unknown[]) => database.query(sql, [texts, mine, ...values])
  const each = 'unnest($1::text[]) with ordinality t (said, n)'
  await say(`update nodes set title = (select said from ${each} where n = 4) where id = $2`)
  await say(`insert into nodes (kind, title) select 'collection', said from ${each} where n <= 60 and $2::uuid is not null`)
  await database.query(
    `insert into node_access (user_id, node_id, role) select $1, id, 'owner' from nodes where kind = 'collection' on conflict do nothing`,
    [users.kari],
  )
  await say(`insert into job_queue (collection_node_id, job_type, payload, status, error_msg, error_group, correlation_id, traceparent, unique_key, progress_text, progress, completed_at, started_at)
    select $2, said, jsonb_build_object(said, said), (case n % 3 when 0 then 'running' else 'error' end)::job_status, said, left(said, 60), said, said, said, said, 0.5, now(), now() from ${each}`)
  await say(`insert into job_queue (collection_node_id, job_type, payload, result, status, error_msg, completed_at, attempts)
    select $2, 'all_of_them', jsonb_object_agg(said, said), jsonb_agg(said), 'error', 'all of them', now(), 3 from ${each}`)
  const words = `jsonb_build_object('kind', 'new_name', 'text', said)`
  await say(`insert into job_queue (collection_node_id, job_type, payload, result, status, completed_at)
    select $2, 'ai_text_process', '{"mode": "rens", "text": "x"}', jsonb_build_object('text', string_agg(said, E'\\n\\n'), 'note', null, 'node', null, 'uncertain', jsonb_agg(${words})),
      'completed', now() from ${each}`)
  await say(`insert into transcription_segments (collection_node_id, media_node_id, seq, start_ms, end_ms, text, speaker, suspect)
    select $2, $2, n, 0, 0, said, said, array[said] from ${each}`)
  await say(`insert into job_queue (collection_node_id, job_type, payload, result, status, completed_at)
    select $2::uuid, 'srt_parse', jsonb_build_object('mediaNodeId', $2::uuid), '{}', 'completed', now() where $1::text[] is not null`)
  const all = await findJob(database, `job_type = 'all_of_them'`)
  await say(
    `insert into job_attempts (job_id, run, attempt, started_at, end_reason, error_code, error_msg, error_stack)
     select $3, n, 1, now(), 'failed', left(said, 100), said, E'Error: ' || said || E'\\n    at ' || said || ' (/app/src/' || said || ':1:1)' from ${each} where $2::uuid is not null`,
    all,
  )
  await say(
    `insert into job_audit (actor, action, outcome, code, job_id, job_type, collection_node_id, status_before, status_after, reason)
     select said, 'retry', 'refused', left(said, 100), $3, said, $2, 'error', 'error', said from ${each}`,
    all,
  )
  await say(`insert into job_schedules (collection_node_id, name, job_type, payload, cron, time_zone, error_msg, unique_key, enabled)
    select $2, left(said, 100), 'a_job', jsonb_build_object(said, said), left(said, 100), left(said, 64), said, said, false from ${each}`)
  await say(`insert into job_pauses (job_type, collection_node_id, paused_by, reason) select said, $2, said, said from ${each}`)
  await say(`insert into job_workers (id, host, pid, version, types, slots, lease_expires_at)
    select gen_random_uuid(), said, 1, said, array[said], 3, now() + interval '1 hour' from ${each} where $2::uuid is not null`)
  await say(`insert into job_activity (collection_node_id, span, starts_at, job_type, completed)
    select $2, 'minute', date_trunc('minute', now(), 'UTC'), said, n from ${each}`)
}

/** The page says their code points. */
const shownOtherwise = ['\u0001', '\u2028', '\u202e']
const columns =
  'id.worker_id.correlation_id.traceparent.error_group.error_msg.unique_key.progress_text.job_type.collection_node_id.status.progress'
const screens: readonly [name: string, path: () => string | Promise<string>][] = [
  ['overview', () => '/overview'],
  ['jobs with all columns', () => `?limit=200&set_columns=${columns}`],
  ['jobs that run', () => '?limit=200&status=running'],
  ['a filter of hostile texts', () => `?${new URLSearchParams({ search: texts[3] as string, type: texts[44] as string })}`],
  ['failures', () => '/errors'],
  ['schedules', () => '/schedules'],
  ['workers', () => '/workers'],
  ['pauses', () => '/pauses'],
  ['audit', () => '/audit?limit=200'],
  ['a job', async () => `/${await findJob(on.database, `job_type = 'all_of_them'`)}`],
  ['a text that is drawn', async () => `/${await findJob(on.database, `job_type = 'ai_text_process'`)}`],
  ['a transcript that is drawn', async () => `/${await findJob(on.database, `job_type = 'srt_parse'`)}`],
  ['a job as it is stored', async () => `/${await findJob(on.database, `job_type = 'all_of_them'`)}/raw`],
]

describe.skipIf(!chromium)('two hundred hostile texts in every field', () => {
  test('are two hundred', () => expect(new Set(texts).size).toBe(200))

  // Without the policy: it would stop most of them, and must not be the only thing that does.
  test('run nothing, with the content security policy switched off', async () => {
    const page = await on.open('/overview', { ignorePolicy: true })
    const ran: string[] = []
    await page.exposeFunction('pwned', () => void ran.push(page.url()))
    page.on('dialog', (dialog) => void dialog.dismiss().then(() => ran.push('dialog')))
    for (const [name, path] of screens) {
      await page.goto(`${on.host.origin}/admin/jobs${await path()}`)
      await page.waitForSelector('.sj[data-scripted="true"]')
      await unfold(page)
      expect([name, await oddElements(page), ran]).toEqual([name, [], []])
    }
    // And once more as a new answer of an endpoint, through the client.
    await page.goto(`${on.host.origin}/admin/jobs?limit=200`)
    await page.waitForSelector('.sj[data-scripted="true"]')
    await on.database.query(`update job_queue set error_msg = 'again ' || error_msg, progress_text = 'again ' || progress_text`)
    await page.getByText('again').first().waitFor({ state: 'attached', timeout: 12_000 })
    expect([await oddElements(page), ran]).toEqual([[], []])
  }, 120_000)

  test('are there, as the text that they are', async () => {
    const page = await on.open('/pauses')
    const shown = (await page.locator('tbody').textContent()) ?? ''
    const visible = texts
      .map((text) => text.replace(/\t/g, ' ').slice(0, 30))
      .filter((text) => !shownOtherwise.some((character) => text.includes(character)))
    expect(visible.filter((text) => !shown.includes(text))).toEqual([])
  })

  test('break nothing without scripts', async () => {
    for (const [name, path] of screens) {
      const page = await on.open(await path(), { scripts: false })
      expect([name, await oddElements(page)]).toEqual([name, []])
      expect(await page.locator('h1').count()).toBe(1)
      await page.close()
    }
  }, 60_000)
})

async function unfold(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const folded of document.querySelectorAll('.sj details')) folded.setAttribute('open', '')
  })
}

/** Elements that the page never makes, and attributes that could run something or lead away. */
function oddElements(page: Page): Promise<string[]> {
  return page.locator('.sj').evaluate((root) => {
    const known = new Set(
      'a,article,aside,blockquote,button,caption,code,datalist,dd,details,dialog,div,dl,dt,fieldset,figcaption,figure,form,h1,h2,h3,h4,header,input,kbd,label,legend,li,mark,nav,ol,option,p,pre,progress,section,select,small,span,strong,summary,table,tbody,td,textarea,th,thead,time,tr,ul,svg,path,circle,line,rect,polyline,g'.split(
        ',',
      ),
    )
    const runs = (element: Element) =>
      [...element.attributes].some(({ name }) => name.startsWith('on') || name === 'style' || name === 'srcdoc')
    const leads = (element: Element) =>
      ['href', 'xlink:href', 'src', 'data', 'action', 'formaction', 'poster'].some((name) => {
        const value = element.getAttribute(name)
        return value !== null && new URL(value, location.href).origin !== location.origin
      })
    return [...root.querySelectorAll('*')]
      .filter((element) => !known.has(element.localName) || runs(element) || leads(element))
      .map((element) => element.outerHTML.slice(0, 160))
  })
}
