const mask = '***'

/**
 * Credentials. The first group stays readable, everything after it in the match is masked. Every repetition that could run over a
 * long text again and again is bounded: these patterns meet whatever a service or a program wrote.
 */
const patterns: readonly RegExp[] = [
  // user:password@ in any URL, also where the password has an unescaped @ in it
  /([a-z][a-z0-9+.-]{0,20}:\/\/[^\s:/@]{0,200}:)(?:[^\s/?#]{1,200}|[^\s@]{1,200})(?=@)/gi,
  // Authorization: Bearer …, Basic …, and the same without the header's name when it looks like a key
  /((?:proxy-)?authorization\\*["']?\s{0,5}[:=]\s{0,5}\\*["']?(?:(?:bearer|basic|token|digest|apikey|negotiate)\s{1,5})?)[^\s"'\\,;]+/gi,
  /(\b(?:bearer|basic)\s{1,5})(?=[a-z]{0,30}[^a-z\s"',;.)]|[a-z]{20})[a-z0-9._~+/=-]{6,}/gi,
  // name=value and "name": "value" where the name says that it is secret, PGPASSWORD and X-Api-Key among them
  named('passwords?|passwd|pwd|passphrases?|secrets?|(?:api|access|private)[\\s_-]?keys?(?: provided)?'),
  // Words that also stand in ordinary sentences: "Unexpected token: expected a comma"
  named('token|credentials?|cookie', '(?![a-z]{1,15}(?![a-z0-9_~+/=-]))'),
  /([?&](?:key|sig|signature|x-amz-signature|x-amz-security-token)=)[^\s"'&<>]+/gi,
  // Keys that are known by their form: OpenAI, OpenRouter and Stripe, GitHub, GitLab, Slack, Hugging Face, Groq, Google, AWS
  /(\b[spr]k[-_])(?=[a-z_-]{0,40}[A-Z0-9])[A-Za-z0-9_-]{8,}/g,
  /(\b(?:gh[pousr]_|github_pat_|glpat-|xox[abeprs]-|hf_|gsk_|xai-|AIza))[A-Za-z0-9_-]{8,}/g,
  /(\b(?:AKIA|ASIA))[0-9A-Z]{12,}/g,
  // JSON web tokens, and private keys in PEM
  /((?<![a-z0-9_-]))eyJ[a-z0-9_-]{5,}\.[a-z0-9_-]+(?:\.[a-z0-9_-]+)?/gi,
  /(-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----)[^-]+/g,
]

/**
 * Replaces what looks like a credential by ***. Runs before text is cut, so that half a key never survives a cut. A credential that
 * a line break splits is still one: the text is searched as it is and with its line breaks taken out.
 */
export function maskSecrets(text: string): string {
  const secrets = findSecrets(text)
  if (/[\r\n]/.test(text)) {
    const { joined, positions } = withoutLineBreaks(text)
    for (const { start, end } of findSecrets(joined)) secrets.push({ start: positions[start] ?? 0, end: (positions[end - 1] ?? 0) + 1 })
  }
  return replace(text, secrets)
}

interface Span {
  start: number
  end: number
}

/** `name = value`, with quotes as in JSON, in JavaScript and in JSON inside JSON; a quoted value may have spaces. */
function named(names: string, notValue = ''): RegExp {
  const value = String.raw`(?:(?<=[^\\]")(?:[^"\\]|\\.)+|(?<=[^\\]')(?:[^'\\]|\\.)+|[^\s"'\\,;&)}\]]+)`
  return new RegExp(String.raw`((?:${names})\\*["']?\s{0,5}[:=]\s{0,5}\\*["']?)${notValue}${value}`, 'gi')
}

function findSecrets(text: string): Span[] {
  return patterns.flatMap((pattern) =>
    Array.from(text.matchAll(pattern), (match) => ({ start: match.index + (match[1] ?? '').length, end: match.index + match[0].length })),
  )
}

/** The text without line breaks, and where each of its characters stood. */
function withoutLineBreaks(text: string): { joined: string; positions: number[] } {
  const positions: number[] = []
  for (let index = 0; index < text.length; index++) if (text[index] !== '\n' && text[index] !== '\r') positions.push(index)
  return { joined: text.replace(/[\r\n]+/g, ''), positions }
}

function replace(text: string, secrets: Span[]): string {
  let masked = ''
  let done = 0
  for (const { start, end } of secrets.sort((a, b) => a.start - b.start)) {
    if (start >= done) masked += text.slice(done, start) + mask
    done = Math.max(done, end)
  }
  return masked + text.slice(done)
}
