import { describe, expect, test } from 'vitest'
import { seedFailing } from './support/seeds.ts'
import { chromium, findJob, mine, usePage } from './support/use-page.ts'

if (!chromium) console.log('not run: 6 tests, needs chromium')

const on = usePage(seedFailing)
const open = (path: string) => on.open(path, { scripts: false })
const statusOf = async (id: string) => (await on.database.pool.query('select status from job_queue where id = $1', [id])).rows[0]?.status

describe.skipIf(!chromium)('without JavaScript', () => {
  test('the list is filtered and paged', async () => {
    const page = await open('')
    await page.getByRole('link', { name: 'Eldre' }).click()
    expect(page.url()).toContain('cursor=')
    await page.getByRole('searchbox', { name: 'Søk' }).fill('ECONNREFUSED')
    await page.getByRole('button', { name: 'Vis', exact: true }).click()
    expect(page.url()).toContain('search=ECONNREFUSED')
    expect(await page.locator('tbody tr').count()).toBe(24)
  })

  test('a job is tried again, with a step between', async () => {
    const id = await findJob(on.database, `status = 'error' and job_type = 'ai_text_process' and ${mine}`)
    const page = await open(`/${id}`)
    await page.getByRole('link', { name: 'Prøv på nytt' }).click()
    expect(await statusOf(id)).toBe('error')
    await page.getByLabel(/Hvorfor/).fill('Uten skript')
    await page.getByRole('button', { name: 'Prøv på nytt' }).click()
    await page.getByText('Jobben prøves på nytt.').waitFor()
    expect(await statusOf(id)).toBe('pending')
  })

  test('a job that waits is cancelled', async () => {
    const id = await findJob(on.database, `status = 'pending' and ${mine}`)
    const page = await open(`/${id}?confirm=cancel`)
    await page.getByRole('button', { name: 'Avbryt jobben' }).click()
    await page.getByText('Jobben er avbrutt.').waitFor()
    expect(await statusOf(id)).toBe('cancelled')
  })

  test('what cannot be done is said', async () => {
    const id = await findJob(on.database, `status = 'error' and job_type = 'whisper_transcribe' and ${mine}`)
    const page = await open(`/${id}?confirm=retry`)
    await on.database.pool.query(`update job_queue set status = 'pending', attempts = 0, completed_at = null where id = $1`, [id])
    await page.getByRole('button', { name: 'Prøv på nytt' }).click()
    await page.getByRole('alert').getByText('Jobben kan ikke prøves på nytt nå').waitFor()
    await page.close()
    expect(on.complaints.splice(0).filter((text) => !text.includes('409 (Conflict)'))).toEqual([])
  })

  test('all with one error are tried again: preview, confirmation, receipt', async () => {
    const page = await open('/errors')
    await page.locator('tr', { hasText: 'generate_waveform' }).getByRole('button', { name: /Prøv/ }).last().click()
    await page.getByRole('heading', { name: /Prøv \d jobber på nytt\?/ }).waitFor()
    expect(page.url()).toContain('/bulk/')
    await page.getByRole('button', { name: /Prøv \d jobber på nytt/ }).click()
    await page.getByRole('heading', { name: 'Kvittering' }).waitFor()
    await page.getByText(/utført/).waitFor()
  })

  test('chosen rows are cancelled together', async () => {
    const page = await open('?status=pending')
    await page.locator('tbody input[type="checkbox"]').first().check()
    await page.getByRole('button', { name: 'Avbryt valgte' }).click()
    await page.getByRole('button', { name: 'Avbryt 1 jobb' }).click()
    await page.getByRole('heading', { name: 'Kvittering' }).waitFor()
  })
})
