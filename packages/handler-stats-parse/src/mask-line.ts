const LONGEST_SHAPE = 160
const LONGEST_LOOKED_AT = 1000

/** Words that Caddy itself writes: nothing of a listener's can hide behind them. */
const known = new Set(
  `level info error warn debug ts logger http log access log0 msg handled request NOP remote_ip remote_port remote_addr client_ip proto
  method host uri headers User Agent Range Content Type Length tls user_id duration size status bytes_read resp_headers common_log
  null true false GET HEAD INFO ERROR`.split(/\s+/),
)

/**
 * The shape of a line, for whoever looks for what is wrong with it: Caddy's own words and the punctuation stay, every other word or
 * number becomes an x. So no address, user agent or path is in it, whatever the line was. At most 160 characters.
 */
export function maskLine(line: string): string {
  const masked = line
    .slice(0, LONGEST_LOOKED_AT)
    .replace(/[\p{L}\p{M}\p{N}_]+/gu, (word) => (known.has(word) ? word : 'x'))
    .replace(/[^\x20-\x7e]+/g, '·')
  return masked.length > LONGEST_SHAPE ? `${masked.slice(0, LONGEST_SHAPE - 1)}…` : masked
}
