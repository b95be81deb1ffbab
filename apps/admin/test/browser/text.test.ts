import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { insertJob } from '@sidelinja/jobs-core/testing'
import { describe, expect, test } from 'vitest'
import { seedCollections } from './support/seeds.ts'
import { chromium, usePage } from './support/use-page.ts'

if (!chromium) console.log('not run: 2 tests, needs chromium')

const lines = readFileSync(join(import.meta.dirname, 'fixtures/error-messages.txt'), 'utf8')
  .trim()
  .split('\n')
const payload = {
  tittel: "</script><script>document.title='pwned'</script>",
  '<img src=x onerror=alert(1)>': 'nøkkel med markup',
  url: 'javascript:alert(1)',
  snudd: 'exe.\u202egpj',
}

const ids: string[] = []
const on = usePage(async (database) => {
  const { collections } = await seedCollections(database)
  for (const error_msg of lines) {
    const { id } = await insertJob(database.db, {
      job_type: '<b>x</b>',
      status: 'error',
      error_msg,
      payload,
      collection_node_id: collections[0] as string,
    })
    ids.push(id)
  }
})

describe.skipIf(!chromium)('markup in what others wrote', () => {
  test('is shown as text in lists, also after a new answer', async () => {
    const page = await on.open()
    for (const line of lines) expect(await page.locator('tbody').textContent()).toContain(line.trim())
    await on.database.pool.query(`update job_queue set error_msg = error_msg || ' igjen'`)
    await page.getByText('igjen').first().waitFor({ timeout: 12_000 })
    await inert(page)
    await page.goto(`${on.host.origin}/admin/jobs/errors`)
    await inert(page)
  })

  test('is shown as text in a job, and what turns writing around is visible', async () => {
    for (const id of ids) {
      const page = await on.open(`/${id}`)
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('<b>x</b>')
      expect(await page.locator('.sj-tree').first().textContent()).toContain('<img src=x onerror=alert(1)>')
      expect(await page.locator('.sj-tree').first().textContent()).toContain('exe.⟨U+202E⟩gpj')
      await inert(page)
    }
  })
})

async function inert(page: Awaited<ReturnType<typeof on.open>>): Promise<void> {
  expect(await page.title()).toMatch(/jobbkø$/)
  const odd = await page
    .locator('.sj')
    .evaluate((root) => root.querySelectorAll('img, script, b, [onerror], [onload], a[href^="javascript:" i], [style]').length)
  expect(odd).toBe(0)
}
