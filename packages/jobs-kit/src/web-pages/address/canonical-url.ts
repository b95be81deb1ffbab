/** What a page says its address is, where that can be believed: http or https, of the same site, and not the front page for an article. Null where not. */
export function canonicalUrl(said: string | null, url: URL): URL | null {
  const canonical = said === null ? null : URL.parse(said, url.href)
  if (canonical === null || !/^https?:$/.test(canonical.protocol) || canonical.username !== '' || canonical.password !== '') return null
  if (!sameSite(canonical, url)) return null
  if (canonical.pathname === '/' && url.pathname !== '/') return null
  canonical.hash = ''
  return canonical
}

/** One host, or one below the other; `www.`, `m.` and `amp.` do not count. */
export function sameSite(a: URL, b: URL): boolean {
  const [one, other] = [siteOf(a), siteOf(b)]
  return one === other || one.endsWith(`.${other}`) || other.endsWith(`.${one}`)
}

function siteOf({ hostname, port }: URL): string {
  return `${hostname.replace(/^(www|m|mobile|amp)\.(?=.*\.)/, '')}${port && `:${port}`}`
}
