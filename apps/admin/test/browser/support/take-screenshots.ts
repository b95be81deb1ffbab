// Pictures of the page for the documentation, of the built application on four databases: empty, busy, in trouble, and with results.
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { migrate, queueMigrations } from '@sidelinja/jobs-core/admin'
import { startTestServer } from '@sidelinja/jobs-core/testing'
import { handlerMigrations } from '@sidelinja/jobs-kit/storage'
import type { Browser } from 'playwright-core'
import { openPage, startBrowser } from './browser.ts'
import { type Host, startHost } from './host.ts'
import { seedPeople } from './seed-people.ts'
import { seedBusy, seedCollections, seedFailing, seedResults, users } from './seeds.ts'

interface Shot {
  name: string
  path: (job: string) => string
  /** The type of the finished job whose id `path` is given. Default: of the newest failed one. */
  job?: string
  /** Taken at these widths, in both themes; otherwise once. */
  widths?: readonly number[]
}

const everyWidth = [360, 1280, 1920]
const shots: Readonly<Record<string, { seed: (host: Host) => Promise<unknown>; shots: readonly Shot[] }>> = {
  failing: {
    seed: async ({ database }) => {
      await seedFailing(database)
      await seedPeople(database)
    },
    shots: [
      { name: 'overview', path: () => '/overview', widths: everyWidth },
      { name: 'jobs', path: () => '', widths: everyWidth },
      { name: 'job', path: (job) => `/${job}`, widths: everyWidth },
      { name: 'errors', path: () => '/errors', widths: everyWidth },
      { name: 'workers', path: () => '/workers' },
      { name: 'schedules', path: () => '/schedules' },
      { name: 'pauses', path: () => '/pauses' },
      { name: 'audit', path: () => '/audit' },
      { name: 'no-match', path: () => '?status=cancelled&search=finnes-ikke' },
    ],
  },
  busy: {
    seed: ({ database }) => seedBusy(database),
    shots: [
      { name: 'overview', path: () => '/overview' },
      { name: 'jobs', path: () => '?status=running,pending' },
      { name: 'nothing-failed', path: () => '?status=error' },
    ],
  },
  results: {
    seed: ({ database }) => seedResults(database),
    shots: [
      { name: 'transcript', path: (job) => `/${job}`, widths: everyWidth, job: 'whisper_transcribe' },
      { name: 'waveform', path: (job) => `/${job}`, widths: everyWidth, job: 'generate_waveform' },
      { name: 'analysis', path: (job) => `/${job}`, widths: everyWidth, job: 'openrouter_analyze' },
      { name: 'clip', path: (job) => `/${job}`, widths: everyWidth, job: 'research_clip' },
    ],
  },
  empty: {
    seed: ({ database }) => seedCollections(database),
    shots: [
      { name: 'overview', path: () => '/overview' },
      { name: 'jobs', path: () => '' },
    ],
  },
}

const [given, only = ''] = process.argv.slice(2)
const folder = given ?? 'docs/images'
/** What the documentation shows; a folder of one's own gets everything. */
const documented =
  /^failing-(overview|jobs|job|errors)-1280-|^failing-jobs?-360-light|^busy-overview-1280-light|^results-(transcript|analysis)-1280-/
const chromium = process.env.CHROMIUM ?? '/usr/bin/chromium'
const { server, stop } = await startTestServer({
  connectionString: process.env.DATABASE_URL,
  migrate: ({ pool }) => migrate(pool, { sources: [queueMigrations, handlerMigrations] }),
})
const browser = await startBrowser(chromium)
try {
  await mkdir(folder, { recursive: true })
  for (const [state, { seed, shots: wanted }] of Object.entries(shots)) {
    const host = await startHost(server)
    await seed(host)
    for (const shot of wanted) await take(browser, host, state, shot)
    await host.stop()
  }
} finally {
  await browser.close()
  await stop()
}

async function take(browser: Browser, host: Host, state: string, { name, path, job, widths = [1280] }: Shot): Promise<void> {
  const cookie = await host.signIn(users.kari)
  const id = await findShown(host, job)
  for (const width of widths) {
    for (const theme of ['light', 'dark'] as const) {
      const file = `${state}-${name}-${width}-${theme}`
      if (given === undefined ? !documented.test(file) : !file.includes(only)) continue
      const { page, context, complaints } = await openPage(browser, { cookie, width, theme, height: width < 600 ? 780 : 900 })
      await page.goto(`${host.origin}/admin/jobs${path(id)}`)
      await page.waitForSelector('.sj[data-scripted="true"]')
      await page.screenshot({ path: join(folder, `${file}.png`), fullPage: given !== undefined && width < 600 })
      for (const complaint of complaints) console.error(`${state} ${name}: ${complaint}`)
      await context.close()
    }
  }
}

/** The finished job of a type, or else the newest transcription that failed. */
async function findShown({ database }: Host, finished?: string): Promise<string> {
  const status = finished === undefined ? 'error' : 'completed'
  const { rows } = await database.pool.query<{ id: string }>(
    `select id from job_queue where status = $1 and job_type = $2 and collection_node_id in (select id from nodes where title like 'Podkasten%') order by created_at desc limit 1`,
    [status, finished ?? 'whisper_transcribe'],
  )
  return rows[0]?.id ?? ''
}
