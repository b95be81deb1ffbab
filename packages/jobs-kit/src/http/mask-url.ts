import { maskSecrets } from '@sidelinja/jobs-core/worker'

/** Parameters by which services take a key, beside those that `maskSecrets` knows. */
const secretParameters = /(key|token|secret|auth|password|signature|sig|code|credential)/i
const longest = 500

/** An address for messages: without user and password, secret parameters as ***, no fragment, at most 500 characters. */
export function maskUrl(url: URL): string {
  const shown = new URL(url)
  shown.username = ''
  shown.password = ''
  shown.hash = ''
  for (const name of new Set(shown.searchParams.keys())) if (secretParameters.test(name)) shown.searchParams.set(name, '***')
  const text = maskSecrets(shown.href)
  return text.length <= longest ? text : `${text.slice(0, longest)}…`
}
