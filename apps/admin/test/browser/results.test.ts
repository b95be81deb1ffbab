import { insertJob } from '@sidelinja/jobs-core/testing'
import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { tooWide, violations, violationsOfContrast } from './support/axe.ts'
import { seedResults } from './support/seeds.ts'
import { chromium, findJob, usePage } from './support/use-page.ts'

if (!chromium) console.log('not run: 8 tests, needs chromium')

const on = usePage(seedResults)
const types = ['whisper_transcribe', 'generate_waveform', 'openrouter_analyze', 'research_clip']
const pathOf = async (type: string) => `/${await findJob(on.database, `status = 'completed' and job_type = '${type}'`)}`
const result = (page: Page) => page.getByRole('region', { name: 'Resultat' })
const textOf = async (element: Locator) => ((await element.textContent()) ?? '').replace(/\s+/g, ' ').trim()

describe.skipIf(!chromium)('what a finished job came to', () => {
  test('a transcription shows who said what and when, marks what is uncertain, and folds what is long', async () => {
    const page = await on.open(await pathOf('whisper_transcribe'))
    const shown = result(page)
    expect(await shown.locator('.sj-waveform path').getAttribute('d')).toMatch(/^M0\.15 /)
    expect(await shown.getByText('34 min 12 s. Høyeste nivå er 94 %.').count()).toBe(1)
    const segments = shown.locator('.sj-segment')
    expect(await segments.count()).toBe(412)
    expect(await textOf(segments.nth(2))).toBe('0:09 Oddvar Takk. Ja, det er vel så lenge at jeg har sluttet å telle.')
    expect(await textOf(segments.nth(4))).toBe('0:19 Teksting av Nicolai Winther usikkert: opptaket er stille her')
    expect(await shown.getByText('2 avsnitt er usikre og er merket.').count()).toBe(1)
    expect(await segments.last().isVisible()).toBe(false)
    await shown.locator('summary').focus()
    await page.keyboard.press('Enter')
    await segments.last().waitFor({ state: 'visible' })
    expect(await shown.getByText('Vis færre').isVisible()).toBe(true)
  })

  test('a waveform, an analysis and a clip are drawn', async () => {
    const page = await on.open(await pathOf('generate_waveform'))
    expect(await result(page).locator('.sj-waveform svg').isVisible()).toBe(true)
    await page.goto(`${on.host.origin}/admin/jobs${await pathOf('openrouter_analyze')}`)
    await result(page).getByRole('heading', { name: 'Ferja som aldri kom' }).waitFor()
    expect(await result(page).getByText('Fire avganger om dagen').isVisible()).toBe(true)
    await page.goto(`${on.host.origin}/admin/jobs${await pathOf('research_clip')}`)
    await result(page).getByRole('heading', { name: 'Ferjesambandet over fjorden' }).waitFor()
    expect(await textOf(result(page).locator('blockquote').first())).toBe('Ferjesambandet over fjorden ble lagt ned i mars.')
    expect(await result(page).getByText('Velforeningen har bedt om').isVisible()).toBe(true)
  })

  test('is there in other languages, and without scripts', async () => {
    const page = await on.open(`${await pathOf('whisper_transcribe')}?set_lang=nn`, { scripts: false })
    expect(await page.getByText('usikkert: opptaket er stille her').count()).toBe(1)
    expect(await page.getByRole('heading', { name: 'Lydbølgje' }).count()).toBe(1)
    await page.getByText('Vis alle 412').click()
    expect(await page.locator('.sj-segment').last().isVisible()).toBe(true)
  })

  test('can be seen as data too, and is data alone where nothing draws it', async () => {
    const page = await on.open(await pathOf('research_clip'))
    const data = page.getByRole('region', { name: 'Data' })
    await data.getByText('Vis som data').click()
    expect(await data.getByText('nodeId').isVisible()).toBe(true)
    const { rows } = await on.database.pool.query<{ id: string }>(`select collection_node_id as id from job_queue limit 1`)
    const job = { job_type: 'unknown_type', status: 'completed', result: { answer: 42 }, collection_node_id: rows[0]?.id ?? '' } as const
    await page.goto(`${on.host.origin}/admin/jobs/${(await insertJob(on.database.db, job)).id}`)
    expect(await data.getByText('answer').isVisible()).toBe(true)
    expect(await result(page).count()).toBe(0)
  })

  test('that cannot be drawn is data, and the page says so calmly', async () => {
    await on.database.pool.query('revoke select on media_waveforms from queue_web')
    const page = await on.open(await pathOf('generate_waveform'))
    await on.database.pool.query('grant select on media_waveforms to queue_web')
    await result(page).getByText('Resultatet kunne ikke tegnes.').waitFor()
    expect(await page.getByRole('region', { name: 'Data' }).getByText('sampleRate').isVisible()).toBe(true)
    expect(await violations(page)).toEqual([])
  })

  test('is read when the job finishes while somebody looks, and not again', async () => {
    const id = (await pathOf('generate_waveform')).slice(1)
    await on.database.pool.query(`update job_queue set status = 'running', completed_at = null where id = $1`, [id])
    const page = await on.open(`/${id}`)
    const asked: string[] = []
    page.on('request', (request) => void asked.push(new URL(request.url()).pathname.replace(`/admin/jobs/${id}`, '')))
    expect(await result(page).count()).toBe(0)
    await on.database.pool.query(`update job_queue set status = 'completed', completed_at = now() where id = $1`, [id])
    await on.database.pool.query('notify job_queue_page')
    await result(page).locator('.sj-waveform svg').waitFor({ timeout: 12_000 })
    asked.length = 0
    await on.database.pool.query(`update job_queue set progress_text = 'again' where id = $1`, [id])
    await on.database.pool.query('notify job_queue_page')
    await expect.poll(() => asked, { timeout: 12_000 }).toContain('/explain')
    expect(asked).not.toContain('/result')
  })
})

describe.skipIf(!chromium)('axe finds nothing', () => {
  test('in both themes', async () => {
    const page = await on.open(await pathOf('whisper_transcribe'))
    for (const type of types) {
      await page.goto(`${on.host.origin}/admin/jobs${await pathOf(type)}`)
      await page.waitForSelector('.sj[data-scripted="true"]')
      await page.evaluate(() => {
        // But for what is folded for its length: it is more of the same.
        for (const folded of document.querySelectorAll('.sj details:not(.sj-menu, .sj-fold)')) folded.setAttribute('open', '')
      })
      expect([type, await violations(page)]).toEqual([type, []])
      await page.emulateMedia({ colorScheme: 'dark' })
      expect([type, await violationsOfContrast(page)]).toEqual([type, []])
      await page.emulateMedia({ colorScheme: 'light' })
    }
  }, 60_000)

  test('on the narrowest screen, where nothing is cut off', async () => {
    const page = await on.open(await pathOf('whisper_transcribe'), { width: 320, height: 700 })
    for (const type of types) {
      await page.goto(`${on.host.origin}/admin/jobs${await pathOf(type)}`)
      expect([type, await tooWide(page)]).toEqual([type, []])
    }
    expect(await violations(page)).toEqual([])
  })
})
