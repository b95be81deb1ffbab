import { ConfigurationError } from '@sidelinja/jobs-core'
import type { ServicesConfig } from '@sidelinja/jobs-kit'
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

/** Where the services outside are. */
export type ServiceSettings = Pick<ServicesConfig, 'transcription' | 'liveKit' | 'gentle' | 'forgejo'>

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
      liveKit: {
        url: read.liveKitUrl,
        apiKey: together(read.liveKitApiKey, 'LIVEKIT_API_KEY', 'LIVEKIT_URL'),
        apiSecret: together(read.liveKitApiSecret, 'LIVEKIT_API_SECRET', 'LIVEKIT_URL'),
      },
    }),
    gentle: {
      ...{ url: read.whisperGentleUrl, threads: read.gentleThreads },
      ...{ concurrency: read.gentleConcurrency, deferMs: read.gentleDefer || undefined, maxDeferMs: read.gentleMaxDefer },
    },
    ...(read.forgejoUrl && { forgejo: { url: read.forgejoUrl, token: together(read.forgejoToken, 'FORGEJO_TOKEN', 'FORGEJO_URL') } }),
  }
}

function readOne(setting: ServiceSetting, env: Environment): unknown {
  const text = (setting.kind === 'secret' ? readSecret(env, setting.env) : env[setting.env]) || setting.default
  if (text === undefined) return undefined
  if (setting.kind === 'secret') return text
  return setting.kind === 'url' ? readUrl(setting, text.trim()) : readSetting(setting, setting.env, text)
}

function readUrl({ env, protocols }: ServiceSetting & { kind: 'url' }, text: string): URL {
  if (URL.canParse(text) && protocols.includes(new URL(text).protocol) && new URL(text).username === '') return new URL(text)
  // Not shown: an address that is wrong may hold a password.
  throw new ConfigurationError(
    'OPTION_INVALID',
    `${env} must be an address that begins with ${protocols.map((protocol) => `${protocol}//`).join(', ')}, without user and password in it.`,
  )
}

function together(value: string | undefined, name: string, because: string): string {
  if (value !== undefined) return value
  throw new ConfigurationError('OPTION_INVALID', `${name} is not set, and ${because} needs it. Set both or neither.`)
}
