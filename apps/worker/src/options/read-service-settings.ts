import { ConfigurationError } from '@sidelinja/jobs-core'
import type { ServicesConfig, SpacetimeOptions } from '@sidelinja/jobs-kit'
import { readSecret } from './read-secret.ts'
import { readSetting } from './read-setting.ts'
import type { Environment } from './read-settings.ts'
import { SERVICE_SETTINGS, type ServiceSetting } from './service-settings.ts'

type Key = keyof typeof SERVICE_SETTINGS
type Value<Setting> = Setting extends { kind: 'integer' | 'duration' }
  ? number
  : Setting extends { kind: 'choice'; choices: readonly (infer Choice)[] }
    ? Choice
    : Setting extends { kind: 'url' }
      ? URL
      : string
/** A setting with a default always has a value. */
type Read = {
  [K in Key]: Value<(typeof SERVICE_SETTINGS)[K]> | ((typeof SERVICE_SETTINGS)[K] extends { default: string } ? never : undefined)
}

type Complete<Parts> = { [K in keyof Parts]: Exclude<Parts[K], undefined> }

/** Where the services outside are: those that handlers use, and who is told how jobs stand. */
export interface ServiceSettings extends Pick<ServicesConfig, 'transcription' | 'liveKit' | 'gentle' | 'gateway' | 'forgejo' | 'web'> {
  spacetime?: SpacetimeOptions | undefined
}

/**
 * Which services there are, from the environment. A service without an address is not there: a handler that needs it cannot be built then.
 * @throws ConfigurationError `OPTION_INVALID` naming the variable, `SECRET_UNREADABLE`
 */
export function readServiceSettings(env: Environment): ServiceSettings {
  const read = Object.fromEntries(Object.entries(SERVICE_SETTINGS).map(([key, setting]) => [key, readOne(setting, env)])) as Read
  return {
    ...(read.whisperUrl && {
      transcription: {
        ...{ url: read.whisperUrl, apiKey: read.whisperApiKey, dialect: read.whisperDialect },
        ...{ model: read.whisperModel, format: read.whisperFormat, timeoutFactor: read.whisperTimeoutFactor },
      },
    }),
    ...(read.liveKitUrl && {
      liveKit: together(
        { url: read.liveKitUrl, apiKey: read.liveKitApiKey, apiSecret: read.liveKitApiSecret },
        { url: 'LIVEKIT_URL', apiKey: 'LIVEKIT_API_KEY', apiSecret: 'LIVEKIT_API_SECRET' },
      ),
    }),
    gentle: {
      ...{ url: read.whisperGentleUrl, threads: read.gentleThreads },
      ...{ concurrency: read.gentleConcurrency, deferMs: read.gentleDefer || undefined, maxDeferMs: read.gentleMaxDefer },
    },
    ...(read.gatewayUrl && {
      gateway: {
        ...{ url: read.gatewayUrl, apiKey: read.gatewayKey, timeoutMs: read.gatewayTimeout },
        embeddingFormat: read.gatewayEmbeddingFormat,
      },
    }),
    ...(read.forgejoUrl && {
      forgejo: together({ url: read.forgejoUrl, token: read.forgejoToken }, { url: 'FORGEJO_URL', token: 'FORGEJO_TOKEN' }),
    }),
    ...(read.webContact && { web: { contact: read.webContact.href } }),
    ...(read.spacetimeUrl && {
      spacetime: together(
        { url: read.spacetimeUrl, database: read.spacetimeDatabase, token: read.spacetimeToken },
        { url: 'SPACETIMEDB_URL', database: 'SPACETIMEDB_DATABASE', token: 'SPACETIMEDB_TOKEN' },
      ),
    }),
  }
}

/** Variables that are set and do nothing, since the address of their service is not. Not an error: other programs share the environment. */
export function unusedVariables(env: Environment): { name: string; needs: string }[] {
  return Object.values<ServiceSetting>(SERVICE_SETTINGS).flatMap(({ env: variable, kind, partOf }) => {
    const names = kind === 'secret' ? [variable, `${variable}_FILE`] : [variable]
    return names.flatMap((name) => (partOf && env[name] && !env[partOf] ? [{ name, needs: partOf }] : []))
  })
}

/** Addresses given as many programs want them, with the `/v1` that is added to them here. */
export function doubledPaths(env: Environment): string[] {
  const appended = ['WHISPER_URL', 'WHISPER_GENTLE_URL', 'AI_GATEWAY_URL'] as const
  return appended.filter((name) => /\/v1\/?$/.test(env[name]?.trim() ?? ''))
}

function readOne(setting: ServiceSetting, env: Environment): unknown {
  const text = (setting.kind === 'secret' ? readSecret(env, setting.env) : env[setting.env]) || setting.default
  if (text === undefined) return undefined
  if (setting.kind === 'secret') return oneLine(setting.env, text)
  return setting.kind === 'url' ? readUrl(setting, text.trim()) : readSetting(setting, setting.env, text)
}

function readUrl({ env, protocols }: ServiceSetting & { kind: 'url' }, text: string): URL {
  const url = URL.parse(text)
  if (url !== null && protocols.includes(url.protocol) && url.username === '' && url.password === '') return url
  // Not shown: an address that is wrong may hold a password.
  throw new ConfigurationError(
    'OPTION_INVALID',
    `${env} must be an address that begins with ${protocols.map((protocol) => `${protocol}//`).join(', ')}, without user and password in it.`,
  )
}

/** Anything else is a slip, such as a file of several secrets. No server takes it, and what it says about that would not help. */
function oneLine(name: string, secret: string): string {
  if (/^[\x20-\x7e]+$/.test(secret)) return secret
  throw new ConfigurationError('OPTION_INVALID', `${name}, or the file it comes from, must be one line of plain characters (ASCII).`)
}

/** What belongs to an address has to be there with it. */
function together<Parts extends object>(parts: Parts, names: Record<keyof Parts & string, string>): Complete<Parts> {
  const missing = Object.entries<string>(names).flatMap(([key, name]) => (parts[key as keyof Parts] === undefined ? [name] : []))
  if (missing.length === 0) return parts as Complete<Parts>
  const [address] = Object.values<string>(names)
  throw new ConfigurationError(
    'OPTION_INVALID',
    `${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} not set, and ${address} needs ${missing.length === 1 ? 'it' : 'them'}. Set all of them or none.`,
  )
}
