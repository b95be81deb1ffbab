import { describe, expect, test } from 'vitest'
import { handsOnKeyboard } from './support/hands-on-keyboard.ts'
import { seedFailing } from './support/seeds.ts'
import { chromium, findJob, mine, usePage } from './support/use-page.ts'

if (!chromium) console.log('not run: 12 tests, needs chromium')

const on = usePage(seedFailing)
const one = async (sql: string) => Object.values((await on.database.pool.query(sql)).rows[0] ?? {})[0]
const statusOf = (id: string) => one(`select status from job_queue where id = '${id}'`)

/** A screen, and hands that have no mouse. Single-letter shortcuts are off: they are a help, not the way. */
async function open(path: string) {
  const page = await on.open(`${path}${path.includes('?') ? '&' : '?'}set_keys=off`)
  return { page, hands: handsOnKeyboard(page) }
}

describe.skipIf(!chromium)('by keyboard alone', () => {
  test('one comes past the menus, and from the overview to the jobs with one error', async () => {
    const { page, hands } = await open('/overview')
    await hands.enter(page.locator('.sj-skip'))
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('sj-content')
    await hands.enter(page.getByRole('link', { name: /jobber har feilet/ }))
    await page.waitForURL('**/errors')
    await hands.enter(page.getByRole('link', { name: /Tjenesten svarte ikke/ }))
    await page.waitForURL(/error_group=/)
    await page.locator('tbody tr').first().waitFor()
  })

  test('one sees the numbers of the charts, and another span', async () => {
    const { page, hands } = await open('/overview')
    await hands.enter(page.locator('summary', { hasText: 'Vis tallene' }))
    await page.getByRole('table', { name: 'Jobber som tok slutt, de nyeste først' }).waitFor()
    await hands.to(page.getByRole('region', { name: 'Jobber som tok slutt, de nyeste først' }))
    await open('/overview').then(async (again) => {
      await again.hands.enter(again.page.getByRole('link', { name: '24 timer' }))
      await again.page.waitForURL(/span=hour/)
    })
  })

  test('one filters, removes a filter and goes to older jobs', async () => {
    const { page, hands } = await open('')
    await hands.enter(page.locator('summary', { hasText: 'Flere filtre' }))
    await hands.space(page.getByRole('checkbox', { name: 'Ferdig', exact: true }).first())
    await hands.enter(page.getByRole('button', { name: 'Vis', exact: true }))
    await page.waitForURL(/status=completed/)
    await hands.enter(page.getByRole('link', { name: /Tilstand: Ferdig/ }))
    await expect.poll(() => page.url()).not.toContain('status=completed')
    await hands.enter(page.getByRole('link', { name: 'Eldre' }))
    await page.waitForURL(/cursor=/)
  })

  test('one searches', async () => {
    const { page, hands } = await open('')
    await hands.type(page.getByRole('searchbox', { name: 'Søk' }), 'ECONNREFUSED')
    await page.keyboard.press('Enter')
    await page.waitForURL(/search=ECONNREFUSED/)
  })

  test('one tries a job again, in a dialog that keeps the focus', async () => {
    const id = await findJob(on.database, `status = 'error' and job_type = 'ai_text_process' and ${mine}`)
    const { page, hands } = await open(`/${id}`)
    await hands.enter(page.getByRole('link', { name: 'Prøv på nytt' }))
    const dialog = page.getByRole('dialog')
    await dialog.waitFor()
    for (let stop = 0; stop < 12; stop++) {
      await page.keyboard.press('Tab')
      // Past the last one the browser's own bar has its turn.
      expect(
        await page.evaluate(() => document.activeElement === document.body || document.activeElement?.closest('dialog') !== null),
      ).toBe(true)
    }
    await hands.type(dialog.getByLabel(/Hvorfor/), 'Uten mus')
    await hands.enter(dialog.getByRole('button', { name: 'Prøv på nytt' }))
    await page.getByText('Jobben prøves på nytt.').waitFor()
    expect(await statusOf(id)).toBe('pending')
  })

  test('one asks a running job to stop', async () => {
    const id = await findJob(on.database, `status = 'running' and ${mine}`)
    const { page, hands } = await open(`/${id}`)
    await hands.enter(page.getByRole('link', { name: 'Be den stoppe' }))
    await hands.enter(page.getByRole('dialog').getByRole('button', { name: 'Avbryt jobben' }))
    await page.getByText('Jobben er bedt om å stoppe.').waitFor()
  })

  test('one looks behind what is masked, and unfolds where in the code it failed', async () => {
    const id = await findJob(on.database, `status = 'error' and job_type = 'whisper_transcribe' and ${mine}`)
    const { page, hands } = await open(`/${id}`)
    await hands.enter(page.locator('.sj-stack-trace summary').first())
    expect(await page.locator('.sj-stack-trace[open]').count()).toBeGreaterThan(0)
    await hands.enter(page.getByRole('link', { name: 'Vis umaskert' }))
    await page.waitForURL(/\/raw$/)
  })

  test('one tries all with one error again', async () => {
    const { page, hands } = await open('/errors')
    await hands.enter(page.locator('tr', { hasText: 'generate_waveform' }).getByRole('button', { name: /Prøv alle/ }))
    await page.waitForURL(/\/bulk\//)
    await hands.enter(page.getByRole('button', { name: /^Prøv .* på nytt$/ }))
    await page.getByRole('heading', { name: 'Kvittering' }).waitFor()
  })

  test('one sets a group of errors aside, and takes it back', async () => {
    const { page, hands } = await open('/errors')
    const groups = await page.getByRole('button', { name: 'Sett til side' }).count()
    await hands.enter(page.getByRole('button', { name: 'Sett til side' }).first())
    await page.getByRole('heading', { name: 'Satt til side' }).waitFor()
    await hands.enter(page.getByRole('button', { name: 'Ta fram igjen' }))
    await page.getByRole('heading', { name: 'Satt til side' }).waitFor({ state: 'detached' })
    expect(await page.getByRole('button', { name: 'Sett til side' }).count()).toBe(groups)
  })

  test('one chooses rows and takes them together', async () => {
    const { page, hands } = await open('?status=error&type=whisper_transcribe')
    const boxes = page.locator('tbody input[type="checkbox"]')
    await hands.space(boxes.nth(0))
    await hands.space(boxes.nth(1))
    // The bar with the buttons stands before the table.
    await page.keyboard.press('Shift+Tab')
    await hands.enter(page.getByRole('button', { name: 'Prøv 2 jobber på nytt' }))
    await page.getByRole('heading', { name: 'Prøv 2 jobber på nytt?' }).waitFor()
    await hands.enter(page.getByRole('button', { name: 'La være' }))
    await page.getByText('Stoppet. Det som er gjort, er gjort.').waitFor()
  })

  test('one pauses a collection and ends that', async () => {
    const { page, hands } = await open('/pauses')
    await hands.type(page.getByLabel('Samling'), 'Arkivet')
    await hands.enter(page.getByRole('button', { name: 'Sett på pause' }))
    await page.getByText('Satt på pause. Det som kjører, får kjøre ferdig.').waitFor()
    await hands.enter(page.locator('tr', { hasText: 'Arkivet' }).getByRole('button', { name: 'Avslutt pausen' }))
    await page.getByText('Pausen er over.').waitFor()
  })

  test('one chooses language, columns and whether the page goes on by itself, and filters the log', async () => {
    const { page, hands } = await open('')
    await hands.enter(page.getByRole('button', { name: 'Direkte' }))
    await page.getByRole('button', { name: 'Satt på pause' }).waitFor()
    await hands.enter(page.locator('summary', { hasText: 'Innstillinger' }))
    await hands.enter(page.getByRole('link', { name: 'English' }))
    await page.getByRole('heading', { name: 'Jobs' }).waitFor()
    await hands.enter(page.locator('summary', { hasText: 'Columns' }))
    await hands.space(page.getByRole('checkbox', { name: 'Priority' }))
    await hands.enter(page.getByRole('button', { name: 'Use', exact: true }))
    await page.getByRole('columnheader', { name: 'Priority' }).waitFor()
    await hands.enter(page.getByRole('link', { name: 'Log', exact: true }))
    await page.waitForURL(/\/audit/)
    await hands.to(page.getByRole('link', { name: /CSV/ }))
  })
})
