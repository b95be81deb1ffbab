import { describe, expect, test } from 'vitest'
import { seedFailing, users } from './support/seeds.ts'
import { chromium, findJob, mine, usePage } from './support/use-page.ts'

if (!chromium) console.log('not run: 13 tests, needs chromium')

const on = usePage(seedFailing)
const count = async (sql: string) => Number((await on.database.pool.query(`select count(*) from ${sql}`)).rows[0]?.count)
const statusOf = async (id: string) => (await on.database.pool.query('select status from job_queue where id = $1', [id])).rows[0]?.status

describe.skipIf(!chromium)('the page of jobs', () => {
  test('leads from the overview to what needs a person', async () => {
    const page = await on.open('/overview')
    await page.getByText('32 jobber har feilet').click()
    await page.waitForURL('**/admin/jobs/errors')
    await page.getByRole('link', { name: /Tjenesten svarte ikke/ }).click()
    await page.waitForURL(/status=error&type=whisper_transcribe&error_group=/)
    expect(await page.locator('tbody tr').count()).toBe(23)
  })

  test('draws what ended, with the numbers as a table, minute by minute and hour by hour', async () => {
    const page = await on.open('/overview')
    const chart = page.getByRole('img', { name: /^Ferdig, 30 minutter: \d+ i alt/ })
    expect(await chart.locator('rect').count()).toBeGreaterThan(20)
    await page.getByText('Vis tallene').click()
    const numbers = page.getByRole('table', { name: 'Jobber som tok slutt, de nyeste først' })
    const completed = (await numbers.locator('tbody td:nth-child(2)').allInnerTexts()).map(Number)
    expect(completed).toHaveLength(30)
    const total = completed.reduce((sum, jobs) => sum + jobs, 0)
    expect(await chart.getAttribute('aria-label')).toContain(`: ${total} i alt`)
    await page.getByRole('link', { name: '24 timer' }).click()
    await page.getByRole('img', { name: /^Ferdig, 24 timer: / }).waitFor()
    expect(page.url()).toContain('?span=hour')
    expect(await numbers.locator('tbody tr').count()).toBe(24)
  })

  test('tells how long jobs of each type wait and run', async () => {
    const page = await on.open('/overview')
    const row = page.getByRole('table', { name: /tidsbruk/ }).getByRole('row', { name: /whisper_transcribe/ })
    expect((await row.locator('td').last().textContent())?.trim()).toMatch(/^\d+ min/)
  })

  test('filters by a form that is an address', async () => {
    const page = await on.open()
    await page.locator('select[name="collection_id"]').selectOption({ label: 'Kveldsnytt' })
    await page.getByText('Flere filtre').click()
    await page.getByRole('checkbox', { name: 'Ferdig', exact: true }).first().check()
    await page.getByRole('button', { name: 'Vis', exact: true }).click()
    await page.waitForURL(/status=completed/)
    const shown = await page.locator('tbody td[data-column="collection_node_id"]').allInnerTexts()
    expect(new Set(shown.map((text) => text.trim()))).toEqual(new Set(['Kveldsnytt']))
    await page.getByRole('link', { name: /Samling: Kveldsnytt/ }).click()
    await expect.poll(() => page.url()).not.toContain('collection_id')
    await page.goBack()
    await expect.poll(() => page.url()).toContain('collection_id')
  })

  test('goes to older jobs and back, without a row twice', async () => {
    const page = await on.open()
    const ids = () => page.locator('tbody tr').evaluateAll((rows) => rows.map((row) => row.getAttribute('data-row')))
    const first = await ids()
    await page.getByRole('link', { name: 'Eldre' }).click()
    await page.waitForURL(/cursor=/)
    const second = await ids()
    expect([first.length, second.length > 0, first.filter((id) => second.includes(id))]).toEqual([50, true, []])
    await page.getByRole('link', { name: 'Nyeste' }).click()
    await expect.poll(ids).toEqual(first)
  })

  test('tries a job again after asking, and says so', async () => {
    const id = await findJob(on.database, `status = 'error' and job_type = 'ai_text_process' and ${mine}`)
    const page = await on.open(`/${id}`)
    await page.getByRole('link', { name: 'Prøv på nytt' }).click()
    await page
      .getByRole('dialog')
      .getByLabel(/Hvorfor/)
      .fill('Nettet er tilbake')
    expect(await statusOf(id)).toBe('error')
    await page.getByRole('dialog').getByRole('button', { name: 'Prøv på nytt' }).click()
    await page.getByText('Jobben prøves på nytt.').waitFor()
    expect(await statusOf(id)).toBe('pending')
    await page.getByText('Nettet er tilbake').waitFor()
    await page.getByRole('heading', { name: 'Hvorfor kjører den ikke?' }).waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
    // The link it came from is gone.
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('sj-content')
  })

  test('asks a running job to stop', async () => {
    const id = await findJob(on.database, `status = 'running' and ${mine}`)
    const page = await on.open(`/${id}`)
    await page.getByRole('link', { name: 'Be den stoppe' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Avbryt jobben' }).click()
    await page.getByText('Jobben er bedt om å stoppe.').waitFor()
    await page.getByText('Stopper …').waitFor()
  })

  test('leaves it when one changes one’s mind, and focus goes back', async () => {
    const id = await findJob(on.database, `status = 'error' and ${mine}`)
    const page = await on.open(`/${id}`)
    const button = page.getByRole('link', { name: 'Prøv på nytt' })
    await button.click()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await button.evaluate((element) => element === document.activeElement)).toBe(true)
    expect(await statusOf(id)).toBe('error')
  })

  test('tries all with one error again: preview, confirmation, receipt', async () => {
    const page = await on.open('/errors')
    const waiting = `job_queue where job_type = 'generate_waveform' and status = 'error'`
    const [before, own] = [await count(waiting), await count(`${waiting} and ${mine}`)]
    await page
      .locator('tr', { hasText: 'generate_waveform' })
      .getByRole('button', { name: /Prøv alle/ })
      .click()
    await page.getByRole('heading', { name: `Prøv ${own} jobber på nytt?` }).waitFor()
    expect(await count(waiting)).toBe(before)
    await page.getByRole('button', { name: `Prøv ${own} jobber på nytt` }).click()
    await page.getByRole('heading', { name: 'Kvittering' }).waitFor()
    expect(await page.locator('.sj-receipt').textContent()).toContain(`${own} utført`)
    expect(await count(waiting)).toBe(before - own)
    await page.getByRole('link', { name: 'Se hver jobb i loggen' }).click()
    await page.waitForURL(/bulk_id=/)
    expect(await page.locator('tbody tr').count()).toBe(own)
  })

  test('takes chosen rows together', async () => {
    const page = await on.open('?status=error&type=whisper_transcribe')
    const boxes = page.locator('tbody input[type="checkbox"]')
    await boxes.nth(0).check()
    await boxes.nth(1).check()
    await page.getByRole('button', { name: 'Prøv 2 jobber på nytt' }).click()
    await page.getByRole('heading', { name: 'Prøv 2 jobber på nytt?' }).waitFor()
    await page.getByRole('button', { name: 'La være' }).click()
    await page.getByText('Stoppet. Det som er gjort, er gjort.').waitFor()
  })

  test('pauses and resumes', async () => {
    const page = await on.open('/pauses')
    await page.getByLabel('Samling').selectOption({ label: 'Arkivet 1998–2004' })
    await page.getByRole('button', { name: 'Sett på pause' }).click()
    await page.getByText('Satt på pause. Det som kjører, får kjøre ferdig.').waitFor()
    const row = page.locator('tr', { hasText: 'Arkivet' })
    await row.getByRole('button', { name: 'Avslutt pausen' }).click()
    await page.getByText('Pausen er over.').waitFor()
    await row.waitFor({ state: 'detached' })
  })

  test('masks secrets, and writes down who looks behind', async () => {
    const id = await findJob(on.database, `status = 'error' and ${mine}`)
    const page = await on.open(`/${id}`)
    expect(await page.locator('body').textContent()).not.toContain('sk-hemmelig')
    await page.getByRole('link', { name: 'Vis umaskert' }).click()
    await page.getByText('sk-hemmelig-0123456789abcdef').waitFor()
    expect(await count(`job_audit where action = 'read_raw' and job_id = '${id}' and actor = '${users.kari}'`)).toBe(1)
    const reader = await on.open(`/${id}`, { userId: users.leser })
    expect(await reader.getByRole('link', { name: 'Vis umaskert' }).count()).toBe(0)
  })

  test('shows who may only look no buttons', async () => {
    const page = await on.open('?status=error', { userId: users.leser })
    expect(await page.locator('tbody tr').count()).toBeGreaterThan(0)
    expect(await page.locator('tbody input, tbody .sj-button').count()).toBe(0)
  })

  test('remembers language, appearance and columns, from the first byte', async () => {
    const page = await on.open()
    await page.getByText('Innstillinger').click()
    await page.getByRole('link', { name: 'Nynorsk' }).click()
    await page.getByRole('heading', { name: 'Jobbar' }).waitFor()
    await page.getByText('Innstillingar').click()
    await page.getByRole('link', { name: 'Mørkt' }).click()
    await page.waitForSelector('[data-jobs-theme="dark"]')
    await page.waitForSelector('.sj[data-scripted="true"]')
    await page.getByText('Kolonnar').click()
    await page.getByRole('checkbox', { name: 'Prioritet' }).check()
    await page.getByRole('button', { name: 'Bruk', exact: true }).click()
    await page.getByRole('columnheader', { name: 'Prioritet' }).waitFor()
    expect(page.url()).not.toContain('set_')
    const html = await (await page.context().request.get(page.url(), { headers: { accept: 'text/html' } })).text()
    expect(html).toContain('<html lang="nn">')
    expect(html).toMatch(/class="sj[^"]*" lang="nn"/)
    expect(html).toContain('data-jobs-theme="dark"')
    expect(html).toContain('Prioritet')
  })

  test('says kindly what is not there, with the right status', async () => {
    const page = await on.open()
    for (const [path, text] of [
      ['/00000000-0000-4000-8000-000000000000', 'Denne jobben finnes ikke'],
      [
        `/${await findJob(on.database, "collection_node_id in (select id from nodes where title = 'Andres samling')")}`,
        'Denne jobben finnes ikke',
      ],
      ['/tull', 'Denne siden finnes ikke'],
    ]) {
      const answer = await page.goto(`${on.host.origin}/admin/jobs${path}`)
      expect([answer?.status(), await page.locator('.sj-empty h2').textContent()]).toEqual([404, text])
    }
    await page.context().close()
    expect(on.complaints.splice(0).filter((text) => !text.includes('404 (Not Found)'))).toEqual([])
  })
})
