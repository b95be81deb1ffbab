/** Parameters that say where a reader came from, and nothing of the page. */
const tracking =
  /^(utm_.*|fbclid|gclid|dclid|gbraid|wbraid|msclkid|yclid|twclid|ttclid|igshid|mc_cid|mc_eid|_hsenc|_hsmi|mkt_tok|oly_anon_id|oly_enc_id|vero_id)$/i

/** An address without what does not belong to the page: the fragment, and parameters by which readers are followed. */
export function withoutTracking(url: URL): URL {
  const plain = new URL(url)
  plain.hash = ''
  for (const name of new Set(plain.searchParams.keys())) if (tracking.test(name)) plain.searchParams.delete(name)
  return plain
}

/** The same text for all addresses of one page: without scheme, tracking and the order of parameters. */
export function pageKey(url: URL): string {
  const plain = withoutTracking(url)
  plain.searchParams.sort()
  return `${plain.host}${plain.pathname}${plain.search}`
}
