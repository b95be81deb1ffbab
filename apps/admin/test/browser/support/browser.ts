import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'

/** Without a screen, a sandbox or anything that asks the net. */
const flags = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
  ...['--disable-component-update', '--disable-sync'],
]

export interface PageOptions {
  /** Cookies that sign somebody in. */
  cookie?: { name: string; value: string; url: string }
  width?: number
  height?: number
  theme?: 'light' | 'dark'
  scripts?: boolean
  /** As if the page had no content security policy. */
  ignorePolicy?: boolean
}

/** Starts Chromium. */
export function startBrowser(executablePath: string): Promise<Browser> {
  return chromium.launch({ executablePath, args: flags })
}

/** A page of a browser that has nothing else open; what its console says wrong is kept. */
export async function openPage(
  browser: Browser,
  options: PageOptions = {},
): Promise<{ page: Page; context: BrowserContext; complaints: string[] }> {
  const { cookie, width = 1280, height = 900, theme = 'light', scripts = true, ignorePolicy = false } = options
  const context = await browser.newContext({
    ...{ viewport: { width, height }, colorScheme: theme, locale: 'nb-NO', timezoneId: 'Europe/Oslo', javaScriptEnabled: scripts },
    ...{ reducedMotion: 'reduce', bypassCSP: ignorePolicy },
  })
  if (cookie) await context.addCookies([cookie])
  context.setDefaultTimeout(8_000)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  return { page, context, complaints }
}
