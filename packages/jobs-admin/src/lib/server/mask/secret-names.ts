/** Anywhere in a name, spelt together: PGPASSWORD, clientSecret, X-Api-Key. A number under such a name is a secret too. */
const strong =
  /passw(or)?d|passord|passphrase|secret(?!ar)|hemmelig|apikey|accesskey|privatekey|signingkey|encryptionkey|credential|authorization|cookie|connectionstring|databaseurl|webhookurl/
/** Only as a word of its own: `author` is no `auth`, `max_tokens` is a number of tokens. */
const words = new Set([
  'token',
  'tokens',
  'auth',
  'session',
  'sessionid',
  'sid',
  'dsn',
  'jwt',
  'bearer',
  'otp',
  'pin',
  'nonce',
  'signature',
  'sig',
])

/** How sure a name tells that its value is secret. `strong`: also where it is a number · `weak`: only text, lists and objects. */
export type NameVerdict = 'strong' | 'weak' | undefined

/** Judges a key by its name, in camelCase, snake_case, kebab-case, or with the dashes of a command line's flag. */
export function judgeName(name: string): NameVerdict {
  const parts = name
    .slice(0, 200)
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9æøå]+/)
    .filter(Boolean)
  if (strong.test(parts.join('')) || parts.some((part) => part.endsWith('pwd'))) return 'strong'
  return parts.some((part) => words.has(part)) ? 'weak' : undefined
}
