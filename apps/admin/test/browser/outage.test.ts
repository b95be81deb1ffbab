import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@sidelinja/jobs-core/testing'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openPage, startBrowser } from './support/browser.ts'
import { type Host, startHost } from './support/host.ts'
import { seedFailing, users } from './support/seeds.ts'
import { chromium } from './support/use-page.ts'

if (!chromium) console.log('not run: 1 test, needs chromium')

const order = (page: Page) => page.locator('tbody tr').evaluateAll((rows) => rows.map((row) => row.getAttribute('data-row')))
/** A poll, the pause after one that failed, and time for a busy machine. */
const waitMs = { timeout: 25_000 }

let dataFolder: string
let server: EmbeddedPostgres
let host: Host
let browser: Browser

/** The test run's own server is everybody's: this one may be stopped. */
beforeAll(async () => {
  if (chromium === null) return
  dataFolder = await mkdtemp(join(tmpdir(), 'outage-'))
  server = await startEmbeddedPostgres({ dataFolder, port: 0, durable: true })
  ;[host, browser] = await Promise.all([startHost({ connectionString: server.tcpConnectionString() ?? '' }), startBrowser(chromium)])
  await seedFailing(host.database)
}, 120_000)
afterAll(async () => {
  await browser?.close()
  await host?.stop()
  await server?.stop()
  if (dataFolder) await rm(dataFolder, { recursive: true, force: true })
})

describe.skipIf(!chromium)('a PostgreSQL that is stopped and started again', () => {
  test('leaves what was shown with its age and without actions, shows a page and no stack, and comes back by itself', {
    timeout: 90_000,
  }, async () => {
    const cookie = await host.signIn(users.kari)
    const { page } = await openPage(browser, { cookie })
    await page.goto(`${host.origin}/admin/jobs`)
    await page.waitForSelector('.sj[data-scripted="true"]')
    const rows = await order(page)
    expect(await page.locator('.sj-row-actions [aria-disabled="true"]').count()).toBe(0)

    const port = Number(new URL(server.tcpConnectionString() ?? '').port)
    await server.stop()
    await page.getByText(/Ingen kontakt med databasen siden \d\d:\d\d/).waitFor(waitMs)
    expect(await order(page)).toEqual(rows)
    expect(await page.locator('.sj-row-actions [aria-disabled="false"]').count()).toBe(0)

    const { page: second } = await openPage(browser, { cookie })
    const answer = await second.goto(`${host.origin}/admin/jobs/overview`)
    expect([answer?.status(), answer?.headers()['content-type']]).toEqual([503, 'text/html'])
    await second.getByText('Databasen svarer ikke akkurat nå').waitFor()
    expect(await second.locator('body').textContent()).not.toMatch(/ECONNREFUSED|127\.0\.0\.1|at .*\(.*:\d+:\d+\)/)
    // The navigation and the settings are there, as of a page that is well.
    expect(await second.getByRole('link', { name: 'Jobber' }).count()).toBeGreaterThan(0)

    server = await startEmbeddedPostgres({ dataFolder, port, durable: true })
    await page.getByText(/Ingen kontakt med databasen/).waitFor({ state: 'detached', ...waitMs })
    expect(await order(page)).toEqual(rows)
    expect(await page.locator('.sj-row-actions [aria-disabled="true"]').count()).toBe(0)
    await second.getByRole('heading', { name: 'Per type', exact: true }).waitFor(waitMs)
    await second.getByText(/Databasen svarer ikke|Ingen kontakt/).waitFor({ state: 'detached' })
  })
})
