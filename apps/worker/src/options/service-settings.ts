import type { SettingKind } from './settings.ts'

/** One variable about a service outside. They are read from the environment only: there are many, and some are secrets. */
export type ServiceSetting = (SettingKind | { kind: 'url'; protocols: readonly string[] } | { kind: 'secret' }) & {
  env: string
  /** As it would be written; undefined: none. */
  default: string | undefined
  /** The variable without which this one does nothing. */
  partOf?: string
  help: string
}

const HOUR_MS = 3_600_000
const WEB = ['http:', 'https:']

/** Every variable about a service. A secret may also stand in a file that `<name>_FILE` names. */
export const SERVICE_SETTINGS = {
  whisperUrl: { env: 'WHISPER_URL', kind: 'url', protocols: WEB, default: undefined, help: 'address of the transcription server' },
  whisperGentleUrl: {
    env: 'WHISPER_GENTLE_URL',
    partOf: 'LIVEKIT_URL',
    kind: 'url',
    protocols: WEB,
    default: undefined,
    help: 'address of a second one with fewer threads, used while a room is live',
  },
  whisperApiKey: {
    env: 'WHISPER_API_KEY',
    partOf: 'WHISPER_URL',
    kind: 'secret',
    default: undefined,
    help: 'sent as a bearer token, to both servers',
  },
  whisperDialect: {
    env: 'WHISPER_DIALECT',
    partOf: 'WHISPER_URL',
    kind: 'choice',
    choices: ['speaches', 'openai', 'whisper.cpp', 'asr-webservice'],
    default: 'speaches',
    help: 'kind of both servers: speaches (or faster-whisper-server), openai, whisper.cpp, asr-webservice',
  },
  whisperModel: {
    env: 'WHISPER_MODEL',
    partOf: 'WHISPER_URL',
    kind: 'text',
    default: undefined,
    help: 'the model, as the server names it; default Systran/faster-whisper-large-v3 (speaches), whisper-1 (openai)',
  },
  whisperFormat: {
    env: 'WHISPER_FORMAT',
    partOf: 'WHISPER_URL',
    kind: 'choice',
    choices: ['verbose_json', 'srt'],
    default: 'verbose_json',
    help: 'what is asked for: verbose_json, or srt where a server has nothing better',
  },
  whisperTimeoutFactor: {
    env: 'WHISPER_TIMEOUT_FACTOR',
    partOf: 'WHISPER_URL',
    kind: 'integer',
    min: 1,
    max: 100,
    default: '3',
    help: 'a call may take so many times as long as its audio, but ten minutes in any case and three hours at most',
  },
  liveKitUrl: {
    env: 'LIVEKIT_URL',
    kind: 'url',
    protocols: [...WEB, 'ws:', 'wss:'],
    default: undefined,
    help: 'address of the server whose live rooms must not be disturbed; without it nothing is done gently',
  },
  liveKitApiKey: {
    env: 'LIVEKIT_API_KEY',
    partOf: 'LIVEKIT_URL',
    kind: 'text',
    default: undefined,
    help: 'a key of that server; set it together with LIVEKIT_URL',
  },
  liveKitApiSecret: {
    env: 'LIVEKIT_API_SECRET',
    partOf: 'LIVEKIT_URL',
    kind: 'secret',
    default: undefined,
    help: 'the secret of that key; set it together with LIVEKIT_URL',
  },
  gentleThreads: {
    env: 'GENTLE_THREADS',
    partOf: 'LIVEKIT_URL',
    kind: 'integer',
    min: 1,
    max: 256,
    default: '2',
    help: 'threads asked for while a room is live, in a field that only speaches is sent: for a proxy that obeys it',
  },
  gentleConcurrency: {
    env: 'GENTLE_CONCURRENCY',
    partOf: 'LIVEKIT_URL',
    kind: 'integer',
    min: 1,
    max: 1_000,
    default: '1',
    help: 'calls at once in this process while a room is live; the others wait, 15m at most',
  },
  gentleDefer: {
    env: 'GENTLE_DEFER',
    partOf: 'LIVEKIT_URL',
    kind: 'duration',
    minMs: 0,
    maxMs: HOUR_MS,
    default: '0s',
    help: 'while a room is live, jobs of lower priority than 10 come back after so long instead; 0s: they go gently',
  },
  gentleMaxDefer: {
    env: 'GENTLE_MAX_DEFER',
    partOf: 'LIVEKIT_URL',
    kind: 'duration',
    minMs: 0,
    maxMs: 24 * HOUR_MS,
    default: '2h',
    help: 'no job that was enqueued longer ago is put off',
  },
  gatewayUrl: {
    env: 'AI_GATEWAY_URL',
    kind: 'url',
    protocols: WEB,
    default: undefined,
    help: 'address of the AI gateway (LiteLLM, OpenRouter, or what speaks like OpenAI), without /v1',
  },
  gatewayKey: {
    env: 'AI_GATEWAY_KEY',
    partOf: 'AI_GATEWAY_URL',
    kind: 'secret',
    default: undefined,
    help: 'sent to it as a bearer token',
  },
  gatewayTimeout: {
    env: 'AI_GATEWAY_TIMEOUT',
    partOf: 'AI_GATEWAY_URL',
    kind: 'duration',
    minMs: 1_000,
    maxMs: HOUR_MS,
    default: '5m',
    help: 'how long a call may take: longer than its own limit, so that its fallbacks can work',
  },
  gatewayEmbeddingFormat: {
    env: 'AI_EMBEDDING_FORMAT',
    partOf: 'AI_GATEWAY_URL',
    kind: 'choice',
    choices: ['float', 'base64', 'omit'],
    default: 'float',
    help: 'how vectors are asked for: float, base64, or omit, which leaves the field out; whatever comes is read',
  },
  forgejoUrl: {
    env: 'FORGEJO_URL',
    kind: 'url',
    protocols: WEB,
    default: undefined,
    help: 'address of the Forgejo or Gitea whose repositories transcripts are committed to',
  },
  forgejoToken: {
    env: 'FORGEJO_TOKEN',
    partOf: 'FORGEJO_URL',
    kind: 'secret',
    default: undefined,
    help: 'a token that may write there; set it together with FORGEJO_URL',
  },
  webContact: {
    env: 'WEB_CONTACT_URL',
    kind: 'url',
    protocols: [...WEB, 'mailto:'],
    default: undefined,
    help: 'a page, or mailto:, where sites find out who fetches their pages; sent to each of them',
  },
  spacetimeUrl: {
    env: 'SPACETIMEDB_URL',
    kind: 'url',
    protocols: WEB,
    default: undefined,
    help: 'address of the SpacetimeDB that is told how jobs stand; without it nobody is',
  },
  spacetimeDatabase: {
    env: 'SPACETIMEDB_DATABASE',
    partOf: 'SPACETIMEDB_URL',
    kind: 'text',
    default: undefined,
    help: 'name or identity of its database; set it together with SPACETIMEDB_URL',
  },
  spacetimeToken: {
    env: 'SPACETIMEDB_TOKEN',
    partOf: 'SPACETIMEDB_URL',
    kind: 'secret',
    default: undefined,
    help: 'a token its reducer upsert_job_status lets in; set it together with SPACETIMEDB_URL',
  },
} as const satisfies Record<string, ServiceSetting>
