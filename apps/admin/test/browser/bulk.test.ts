import { asUser, runBulk } from '@sidelinja/jobs-core/admin'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { seedFailing, users } from './support/seeds.ts'
import { chromium, mine, usePage } from './support/use-page.ts'

if (!chromium) console.log('not run: 2 tests, needs chromium')

const on = usePage(seedFailing)
const count = async (sql: string) => Number((await on.database.pool.query(`select count(*) from ${sql}`)).rows[0]?.count)

describe.skipIf(!chromium)('a bulk action that takes longer than one request', () => {
  test('goes on with many by itself, one request at a time', async () => {
    const page = await on.open('/errors')
    const { steps, own } = await previewInPieces(page, 'ai_text_process')
    const seen = { open: 0, most: 0 }
    page.on('request', (request) => {
      if (request.url().endsWith('/run_bulk')) seen.most = Math.max(seen.most, ++seen.open)
    })
    page.on('response', (response) => {
      if (response.url().endsWith('/run_bulk')) seen.open--
    })
    await page.getByRole('button', { name: /^Prøv .* på nytt$/ }).click()
    await page.getByRole('heading', { name: 'Jobbene er prøvd på nytt' }).waitFor()
    await page.getByText(`${own} av ${own} er behandlet`).waitFor()
    expect([steps.asked, seen.most]).toEqual([own, 1])
  })

  test('can be stopped in the middle, and gone on with after the page was closed', async () => {
    const page = await on.open('/errors')
    const { steps, own, id } = await previewInPieces(page, 'whisper_transcribe')
    steps.most = 2
    await page.getByRole('button', { name: /^Prøv .* på nytt$/ }).click()
    await page.getByText(`2 av ${own} er behandlet`).waitFor()
    await page.getByText('Det går av seg selv').waitFor()
    await page.reload()
    await page.waitForSelector('.sj[data-scripted="true"]')
    await page.getByText(`2 av ${own} er behandlet`).waitFor()
    await page.getByRole('heading', { name: `Ikke ferdig: 2 av ${own} jobber er prøvd på nytt` }).waitFor()
    const asked = steps.asked
    steps.most = 4
    await page.getByRole('button', { name: 'Fortsett' }).click()
    await page.getByText(`4 av ${own} er behandlet`).waitFor()
    // Three that were answered, one that was not; before the button was pressed none.
    expect([asked, steps.asked]).toEqual([3, 6])
    await page.getByRole('button', { name: 'Stopp her' }).click()
    await page.getByText('Stoppet. Det som er gjort, er gjort.').waitFor()
    await page.getByRole('heading', { name: `Stoppet: 4 av ${own} jobber er prøvd på nytt` }).waitFor()
    expect(await count(`job_bulk_actions where id = '${id}' and aborted_at is not null and done = 4`)).toBe(1)
  })
})

/** Opens the preview of a group's jobs, whose steps then are one job each, as of a very slow database; beyond `most` jobs no answer comes. */
async function previewInPieces(page: Page, type: string) {
  const own = await count(`job_queue where job_type = '${type}' and status = 'error' and ${mine}`)
  await page
    .locator('tr', { hasText: type })
    .getByRole('button', { name: /Prøv alle/ })
    .click()
  await page.waitForURL(/\/bulk\//)
  const id = page.url().split('/').at(-1) ?? ''
  const steps = { asked: 0, most: Number.POSITIVE_INFINITY }
  await page.route('**/intentions/run_bulk', async (route) => {
    steps.asked++
    if ((await count(`job_bulk_actions where id = '${id}' and done >= ${Math.min(steps.most, 1_000)}`)) > 0) return
    const bulk = await asUser(on.database.db, users.kari, ({ trx }) => runBulk(trx, id, { piece: 1 }))
    const body = await (await page.context().request.get(page.url(), { headers: { accept: 'application/json' } })).json()
    await route.fulfill({ status: bulk.finishedAt ? 200 : 202, json: body })
  })
  return { steps, own, id }
}
