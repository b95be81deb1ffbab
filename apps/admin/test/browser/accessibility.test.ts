import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { seedFailing, users } from './support/seeds.ts'
import { chromium, findJob, mine, usePage } from './support/use-page.ts'

if (!chromium) console.log('not run: 29 tests, needs chromium')

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const on = usePage(seedFailing)

const screens: readonly [name: string, path: string | (() => Promise<string>)][] = [
  ['overview', '/overview'],
  ['jobs', ''],
  ['jobs of a filter', '?status=error,retry&type=whisper_transcribe,url_ingest&since=24h'],
  ['no job that fits', '?search=finnes-ikke&status=error'],
  ['a filter that is refused', '?status=odd'],
  ['a failed job', async () => `/${await findJob(on.database, `status = 'error' and ${mine}`)}`],
  ['a running job', async () => `/${await findJob(on.database, `status = 'running' and ${mine}`)}?confirm=cancel`],
  ['a job that is gone', '/00000000-0000-4000-8000-000000000000'],
  ['failures', '/errors'],
  ['schedules', '/schedules'],
  ['workers', '/workers'],
  ['pauses', '/pauses'],
  ['audit', '/audit'],
]

describe.skipIf(!chromium)('axe finds nothing', () => {
  describe.each(['light', 'dark'] as const)('%s', (theme) => {
    test.each(screens)('%s', async (_name, path) => {
      const page = await on.open(typeof path === 'string' ? path : await path(), { theme })
      await page.evaluate(() => {
        for (const folded of document.querySelectorAll('.sj details:not(.sj-menu)')) folded.setAttribute('open', '')
      })
      expect(await violations(page)).toEqual([])
      // A page with a status of its own is a failed load to the console.
      await page.close()
      expect(on.complaints.splice(0).filter((text) => !/status of 40[04]/.test(text))).toEqual([])
    })
  })

  test('in open menus and dialogs', async () => {
    const page = await on.open(`/${await findJob(on.database, `status = 'error' and ${mine}`)}`)
    await page.getByText('Innstillinger').click()
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'Prøv på nytt' }).click()
    await page.getByRole('dialog').waitFor()
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Hurtigtaster' }).waitFor()
    expect(await violations(page)).toEqual([])
  })

  test('for who has nothing', async () => {
    expect(await violations(await on.open('', { userId: users.ingen }))).toEqual([])
  })

  test('on the narrowest screen, where nothing is cut off', async () => {
    for (const path of ['', '/overview', '/errors', '/pauses', `/${await findJob(on.database, `status = 'error' and ${mine}`)}`]) {
      const page = await on.open(path, { width: 320, height: 700 })
      expect(await tooWide(page)).toEqual([])
      expect(await violations(page)).toEqual([])
    }
  })
})

/** What reaches over the edge, but for what scrolls in a table. */
function tooWide(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    if (document.documentElement.scrollWidth <= document.documentElement.clientWidth) return []
    const width = `scrolls to ${document.documentElement.scrollWidth}`
    const elements = [...document.querySelectorAll('body *')].filter((element) => !element.closest('.sj-table-wrap'))
    return [
      width,
      ...elements
        .filter((element) => element.getBoundingClientRect().right > window.innerWidth)
        .map((element) => element.outerHTML.slice(0, 120)),
    ]
  })
}

/** What axe has against the page by WCAG 2.2 AA, and where. */
async function violations(page: Page): Promise<string[]> {
  // Not as a script of the page, which its policy forbids.
  await page.evaluate(axe)
  const results = await page.evaluate(() => {
    const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
    const loaded = (window as unknown as { axe: { run: (context: string, options: object) => Promise<AxeResults> } }).axe
    return loaded.run('.sj', { runOnly: tags, resultTypes: ['violations'] })
  })
  return results.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, any, all }) => `${id}: ${html.slice(0, 200)} ${[...any, ...all][0]?.message ?? ''}`),
  )
}
