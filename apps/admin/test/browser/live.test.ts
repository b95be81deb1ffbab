import { insertJob } from '@sidelinja/jobs-core/testing'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { seedBusy } from './support/seeds.ts'
import { chromium, findJob, mine, usePage } from './support/use-page.ts'

if (!chromium) console.log('not run: 8 tests, needs chromium')

const on = usePage(seedBusy)
const waitMs = { timeout: 12_000 }
/** As a worker does after a change; where the stream is not open yet, polling finds out. */
const hint = () => on.database.pool.query('notify job_queue_page')
const order = (page: Page) => page.locator('tbody tr').evaluateAll((rows) => rows.map((row) => row.getAttribute('data-row')))
const rowOf = (page: Page, id: string) => page.locator(`tr[data-row="${id}"]`)
const own = async () =>
  (await on.database.pool.query<{ id: string }>(`select collection_node_id as id from job_queue where ${mine} limit 1`)).rows[0]?.id ?? ''

describe.skipIf(!chromium)('a page that is looked at', () => {
  test('patches rows where they are: order, focus and choice stay', async () => {
    const id = await findJob(on.database, `status = 'running' and ${mine}`)
    const page = await on.open()
    const before = await order(page)
    await page.locator('tbody input[type="checkbox"]').first().check()
    await rowOf(page, id).locator('a').first().focus()
    await on.database.pool.query(`update job_queue set progress = 0.77, progress_text = 'Skriver' where id = $1`, [id])
    await hint()
    await rowOf(page, id).getByText('Skriver … 77 %').first().waitFor(waitMs)
    expect(await order(page)).toEqual(before)
    expect(await page.evaluate(() => document.activeElement?.closest('[data-row]')?.getAttribute('data-row'))).toBe(id)
    expect(await page.locator('tbody input[type="checkbox"]').first().isChecked()).toBe(true)
  })

  test('tells of new jobs in a button, and shows them when it is pressed', async () => {
    const page = await on.open()
    const before = await order(page)
    const { id } = await insertJob(on.database.db, { job_type: 'feed_watch', collection_node_id: await own() })
    await hint()
    await page.getByRole('button', { name: '1 ny jobb' }).click(waitMs)
    await rowOf(page, id).waitFor()
    expect((await order(page)).slice(0, 3)).toEqual([id, ...before.slice(0, 2)])
    expect(await page.evaluate(() => document.activeElement?.closest('[data-row]')?.getAttribute('data-row'))).toBe(id)
  })

  test('keeps a row that fits no more, as it is now', async () => {
    const id = await findJob(on.database, `status = 'pending' and ${mine}`)
    const page = await on.open('?status=pending')
    await on.database.pool.query(`update job_queue set status = 'cancelled', completed_at = now(), error_msg = 'x' where id = $1`, [id])
    await hint()
    await rowOf(page, id).getByText('Avbrutt').first().waitFor(waitMs)
    expect(await rowOf(page, id).getAttribute('data-left')).toBe('true')
  })

  test('says since when it has no contact, keeps what it has, turns buttons off, and comes back', async () => {
    const page = await on.open()
    const rows = await order(page)
    await page.route('**/admin/jobs**', (route) => route.abort())
    await page.getByText(/Ingen kontakt med databasen siden \d\d:\d\d/).waitFor(waitMs)
    expect(await order(page)).toEqual(rows)
    expect(await page.locator('.sj-row-actions [aria-disabled="true"]').count()).toBeGreaterThan(0)
    await page.unroute('**/admin/jobs**')
    await page.evaluate(() => window.dispatchEvent(new Event('online')))
    await page.getByText(/Ingen kontakt med databasen/).waitFor({ state: 'detached', ...waitMs })
    expect(on.complaints.splice(0).filter((text) => !text.includes('ERR_FAILED'))).toEqual([])
    await page.context().close()
    on.complaints.length = 0
  })

  test('never asks twice at once, and mostly hears that nothing has changed', async () => {
    const page = await on.open()
    let [open, most, unchanged] = [0, 0, 0]
    page.on('request', (request) => {
      if (request.headers().accept === 'application/json') most = Math.max(most, ++open)
    })
    page.on('response', (response) => {
      if (response.request().headers().accept !== 'application/json') return
      open--
      if (response.status() === 304) unchanged++
    })
    await expect.poll(() => unchanged, waitMs).toBeGreaterThanOrEqual(1)
    expect(most).toBe(1)
  })

  test('asks nothing while it is stopped, or a dialog is open', async () => {
    const id = await findJob(on.database, `status = 'running' and ${mine}`)
    const page = await on.open(`/${id}`)
    await page.clock.install()
    let asked = 0
    page.on('request', (request) => {
      if (request.headers().accept === 'application/json') asked++
    })
    await page.getByRole('button', { name: 'Direkte' }).click()
    await page.getByText('Satt på pause').waitFor()
    await page.clock.runFor(60_000)
    expect(asked).toBe(0)
  })

  test('loses its rows when the right is gone', async () => {
    const page = await on.open('?status=running')
    expect(await page.locator('tbody tr').count()).toBeGreaterThan(0)
    await page.context().clearCookies()
    await page.getByText('Du er ikke lenger innlogget').waitFor(waitMs)
    on.complaints.length = 0
    await page.context().close()
    on.complaints.length = 0
  })

  test('hears of changes through the stream, sooner than it would ask', async () => {
    const id = await findJob(on.database, `status = 'running' and ${mine}`)
    const page = await on.open(`/${id}`)
    // Right after it has asked, it would not for four and a half seconds.
    await page.waitForResponse((response) => response.url().endsWith('/explain'))
    await on.database.pool.query(`update job_queue set progress = 0.91, progress_text = 'Straks ferdig' where id = $1`, [id])
    await hint()
    await page.getByText('Straks ferdig … 91 %').waitFor({ timeout: 4_000 })
  })
})
