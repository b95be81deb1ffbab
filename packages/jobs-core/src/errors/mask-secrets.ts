const mask = '***'

/** Patterns of credentials, each with what stays readable in front of them. */
const patterns: readonly [RegExp, string][] = [
  // user:password@ in any URL
  [/([a-z][a-z0-9+.-]*:\/\/[^\s:/@]*):[^\s@]+@/gi, `$1:${mask}@`],
  // Authorization: Bearer …, Basic …, token …
  [/\b(bearer|basic)\s+[a-z0-9._~+/=-]{6,}/gi, `$1 ${mask}`],
  [/\b((?:proxy-)?authorization["']?\s*[:=]\s*["']?)(?!bearer|basic)[^\s"',;]+(?:\s+[a-z0-9._~+/=-]{6,})?/gi, `$1${mask}`],
  // name=value and "name": "value" where the name says that it is secret, PGPASSWORD and X-Api-Key among them
  [
    /\b([a-z0-9_-]*(?:password|passwd|passphrase|secret|api[_-]?key|access[_-]?key|private[_-]?key|token|credential|cookie|signature)s?["']?\s*[:=]\s*["']?)[^\s"',;&)}\]]+/gi,
    `$1${mask}`,
  ],
  // Keys that are known by their form: OpenAI and OpenRouter, GitHub, GitLab, Slack, AWS, JSON web tokens
  [/\b(sk|pk|rk)-[a-z0-9_-]{8,}/gi, `$1-${mask}`],
  [/\b(gh[pousr]_|github_pat_|glpat-|xox[abprs]-)[a-z0-9_-]{8,}/gi, `$1${mask}`],
  [/\b(?:AKIA|ASIA)[0-9A-Z]{12,}/g, mask],
  [/\beyJ[a-z0-9_-]{5,}\.[a-z0-9_-]+(?:\.[a-z0-9_-]+)?/gi, mask],
]

/** Replaces what looks like a credential by ***. Runs before text is cut, so that half a key never survives a cut. */
export function maskSecrets(text: string): string {
  return patterns.reduce((masked, [pattern, replacement]) => masked.replace(pattern, replacement), text)
}
