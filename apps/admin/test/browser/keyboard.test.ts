import { describe, expect, test } from 'vitest'
import { seedFailing } from './support/seeds.ts'
import { chromium, findJob, usePage } from './support/use-page.ts'

if (!chromium) console.log('not run: 4 tests, needs chromium')

const on = usePage(seedFailing)

describe.skipIf(!chromium)('keys', () => {
  test('go through the rows, choose them and open one', async () => {
    const page = await on.open('?status=error')
    const focused = () => page.evaluate(() => document.activeElement?.closest('[data-row]')?.getAttribute('data-row') ?? null)
    const rows = await page.locator('tbody tr').evaluateAll((found) => found.map((row) => row.getAttribute('data-row')))
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('k')
    expect(await focused()).toBe(rows[1])
    const box = page.locator(`tr[data-row="${rows[1]}"] input`)
    if ((await box.count()) > 0) {
      await page.keyboard.press('x')
      expect(await box.isChecked()).toBe(true)
    }
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/admin/jobs/${rows[1]}`)
    await page.keyboard.press('g')
    await page.keyboard.press('j')
    await page.waitForURL('**/admin/jobs')
    await page.keyboard.press('/')
    expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('search')
  })

  test('ask before they do something, and help', async () => {
    const id = await findJob(on.database, "status = 'error' and collection_node_id in (select id from nodes where title = 'Kveldsnytt')")
    const page = await on.open(`/${id}`)
    await page.keyboard.press('r')
    await page.getByRole('dialog', { name: 'Prøve jobben på nytt?' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Hurtigtaster' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.keyboard.press('p')
    await page.getByRole('button', { name: 'Satt på pause' }).waitFor()
  })

  test('are letters where somebody writes, and nothing with a modifier', async () => {
    const page = await on.open()
    await page.getByRole('searchbox', { name: 'Søk' }).pressSequentially('jkxrcp?')
    expect(await page.getByRole('searchbox', { name: 'Søk' }).inputValue()).toBe('jkxrcp?')
    expect(await page.getByRole('dialog').count()).toBe(0)
    await page.locator('h1').click()
    await page.keyboard.press('Control+j')
    expect(await page.evaluate(() => document.activeElement?.closest('[data-row]'))).toBeNull()
  })

  test('can be switched off', async () => {
    const page = await on.open('?set_keys=off')
    await page.keyboard.press('j')
    await page.keyboard.press('?')
    expect(await page.evaluate(() => document.activeElement?.closest('[data-row]'))).toBeNull()
    expect(await page.getByRole('dialog').count()).toBe(0)
  })
})
