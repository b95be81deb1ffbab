import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { tooWide, violations, violationsOfContrast } from './support/axe.ts'
import { seedCollections, seedFailing, users } from './support/seeds.ts'
import { chromium, findJob, mine, type PageUnderTest, usePage } from './support/use-page.ts'

if (!chromium) console.log('not run: 41 tests, needs chromium')

const full = usePage(seedFailing)
const empty = usePage(seedCollections)
// Nobody listens there.
const away = usePage(async () => {}, { DATABASE_URL: 'postgres://nobody@127.0.0.1:9/nothing' })

type Screens = readonly (readonly [name: string, path: string | (() => Promise<string>)])[]
const plain: Screens = [
  ['overview', '/overview'],
  ['jobs', ''],
  ['failures', '/errors'],
  ['schedules', '/schedules'],
  ['workers', '/workers'],
  ['pauses', '/pauses'],
  ['audit', '/audit'],
]
const nobodysJob = ['a job', '/00000000-0000-4000-8000-000000000000'] as const
const nobodysBulk = ['a bulk action', '/bulk/00000000-0000-4000-8000-000000000000'] as const
const states: readonly [name: string, on: PageUnderTest, screens: Screens][] = [
  [
    'full',
    full,
    [
      ...plain,
      ['jobs of a filter', '?status=error,retry&type=whisper_transcribe,url_ingest&since=24h'],
      ['a filter that is refused', '?status=odd'],
      ['a failed job', async () => `/${await findJob(full.database, `status = 'error' and ${mine}`)}`],
      ['a running job', async () => `/${await findJob(full.database, `status = 'running' and ${mine}`)}?confirm=cancel`],
      ['a bulk action', newBulk],
    ],
  ],
  ['empty', empty, [...plain, ['no job that fits', '?search=finnes-ikke&status=error'], nobodysJob, nobodysBulk]],
  ['error', away, [...plain, nobodysJob, nobodysBulk]],
]

describe.skipIf(!chromium)('axe finds nothing, in light and dark', () => {
  describe.each(states)('%s', (_name, on, screens) => {
    test.each(screens)('%s', async (_screen, path) => {
      const page = await on.open(typeof path === 'string' ? path : await path())
      await unfold(page)
      expect(await inBothThemes(page)).toEqual([])
      // A page with a status of its own is a failed load to the console.
      await page.close()
      expect(on.complaints.splice(0).filter((text) => !/status of (?:40[04]|503)/.test(text))).toEqual([])
    })
  })

  test.each(plain)('while %s is on its way', async (_name, path) => {
    const page = await full.open(path === '/audit' ? '' : '/audit')
    await page.route('**/__data.json*', () => {})
    await page.locator(`.sj-nav a[href="/admin/jobs${path}"]`).click()
    await page.getByRole('progressbar', { name: 'Henter' }).waitFor()
    expect(await inBothThemes(page)).toEqual([])
  })

  test('in open menus and dialogs', async () => {
    const page = await full.open(`/${await findJob(full.database, `status = 'error' and ${mine}`)}`)
    await page.getByText('Innstillinger').click()
    expect(await inBothThemes(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'Prøv på nytt' }).click()
    await page.getByRole('dialog').waitFor()
    expect(await inBothThemes(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Hurtigtaster' }).waitFor()
    expect(await inBothThemes(page)).toEqual([])
  })

  test('for who has nothing', async () => {
    expect(await inBothThemes(await full.open('', { userId: users.ingen }))).toEqual([])
  })

  test('on the narrowest screen, where nothing is cut off', async () => {
    for (const path of ['', '/overview', '/errors', '/pauses', `/${await findJob(full.database, `status = 'error' and ${mine}`)}`]) {
      const page = await full.open(path, { width: 320, height: 700 })
      expect(await tooWide(page)).toEqual([])
      expect(await violations(page)).toEqual([])
    }
  })
})

/** All rules in light, and in dark those that colours can break: nothing else differs. */
async function inBothThemes(page: Page): Promise<string[]> {
  const light = await violations(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  const dark = await violationsOfContrast(page)
  await page.emulateMedia({ colorScheme: 'light' })
  return [...light, ...dark.map((text) => `dark: ${text}`)]
}

function unfold(page: Page): Promise<void> {
  return page.evaluate(() => {
    for (const folded of document.querySelectorAll('.sj details:not(.sj-menu)')) folded.setAttribute('open', '')
  })
}

/** The preview of trying all failed jobs again. */
async function newBulk(): Promise<string> {
  const page = await full.open('/errors')
  await page
    .getByRole('button', { name: /Prøv alle/ })
    .first()
    .click()
  await page.waitForURL('**/bulk/*')
  return new URL(page.url()).pathname.replace('/admin/jobs', '')
}
