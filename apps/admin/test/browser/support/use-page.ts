import type { TestDatabase } from '@sidelinja/jobs-core/testing'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, inject } from 'vitest'
import { openPage, type PageOptions, startBrowser } from './browser.ts'
import { type Host, startHost } from './host.ts'
import { users } from './seeds.ts'

/** Null where this machine has no Chromium: then say `not run: N tests, needs chromium`, and skip. */
export const chromium: string | null = inject('chromium')

/** The page in a real browser, on a database of this test file. */
export interface PageUnderTest {
  readonly host: Host
  readonly database: TestDatabase
  /** Opens the page at a path below /admin/jobs, as Kari unless somebody else is named, and waits until its scripts run. */
  open(path?: string, options?: PageOptions & { userId?: string }): Promise<Page>
  /** What browsers' consoles have complained of. A test that expects some takes them out: what is left fails it. */
  readonly complaints: string[]
}

/** Starts host and browser once for the file; closes every page after its test. `env` is the host's, where it is to be another one. */
export function usePage(seed: (database: TestDatabase) => Promise<unknown>, env: Record<string, string> = {}): PageUnderTest {
  let host: Host
  let browser: Browser
  const contexts: BrowserContext[] = []
  const complaints: string[] = []

  beforeAll(async () => {
    if (chromium === null) return
    ;[host, browser] = await Promise.all([startHost(inject('server'), env), startBrowser(chromium)])
    await seed(host.database)
  }, 120_000)
  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()))
    expect(complaints.splice(0)).toEqual([])
  })
  afterAll(async () => {
    await browser?.close()
    await host?.stop()
  })

  return {
    complaints,
    get host() {
      return host
    },
    get database() {
      return host.database
    },
    async open(path = '', { userId = users.kari, scripts = true, ...options } = {}) {
      const opened = await openPage(browser, { cookie: await host.signIn(userId), scripts, ...options })
      contexts.push(opened.context)
      opened.page.on('close', () => complaints.push(...opened.complaints))
      await opened.page.goto(`${host.origin}/admin/jobs${path}`)
      if (scripts) await opened.page.waitForSelector('.sj[data-scripted="true"]')
      return opened.page
    },
  }
}

/** The id of a job that fits a condition. */
export async function findJob(database: TestDatabase, condition: string): Promise<string> {
  const { rows } = await database.pool.query<{ id: string }>(
    `select id from job_queue q where ${condition} order by created_at desc limit 1`,
  )
  const [row] = rows
  if (!row) throw new Error(`no job with ${condition}`)
  return row.id
}

/** Of collections on which Kari may act. */
export const mine = `collection_node_id in (select node_id from node_access where user_id = '${users.kari}' and role = 'owner')`
