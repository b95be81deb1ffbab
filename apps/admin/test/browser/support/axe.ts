import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults, RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const levels = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** What axe has against the page by WCAG 2.2 AA, and where. */
export function violations(page: Page): Promise<string[]> {
  return run(page, { runOnly: levels })
}

/** The same by the rules that depend on colours alone. */
export function violationsOfContrast(page: Page): Promise<string[]> {
  return run(page, { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } })
}

async function run(page: Page, options: RunOptions): Promise<string[]> {
  // Not as a script of the page, which its policy forbids.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source)
  const results = await page.evaluate((chosen) => {
    const loaded = (window as unknown as { axe: { run: (context: string, options: object) => Promise<AxeResults> } }).axe
    return loaded.run('.sj', { ...chosen, resultTypes: ['violations'] })
  }, options)
  return results.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, any, all }) => `${id}: ${html.slice(0, 200)} ${[...any, ...all][0]?.message ?? ''}`),
  )
}

/** What reaches over the edge, but for what scrolls in a table. */
export function tooWide(page: Page): Promise<string[]> {
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
