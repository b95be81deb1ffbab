import type { SettingKind } from './settings.ts'

/** One variable about a service outside. They are read from the environment only: there are many, and some are secrets. */
export type ServiceSetting = (SettingKind | { kind: 'url'; protocols: readonly string[] } | { kind: 'secret' }) & {
  env: string
  /** As it would be written; undefined: none. */
  default: string | undefined
  help: string
}

const HOUR_MS = 3_600_000
const WEB = ['http:', 'https:']

/** Every variable about a service. A secret may also stand in a file that `<name>_FILE` names. */
export const SERVICE_SETTINGS = {
  whisperUrl: { env: 'WHISPER_URL', kind: 'url', protocols: WEB, default: undefined, help: 'the transcription server' },
  whisperGentleUrl: {
    env: 'WHISPER_GENTLE_URL',
    kind: 'url',
    protocols: WEB,
    default: undefined,
    help: 'a second one with fewer threads, used while a room is live',
  },
  whisperApiKey: { env: 'WHISPER_API_KEY', kind: 'secret', default: undefined, help: 'sent as a bearer token' },
  whisperDialect: {
    env: 'WHISPER_DIALECT',
    kind: 'choice',
    choices: ['speaches', 'openai', 'whisper.cpp', 'asr-webservice'],
    default: 'speaches',
    help: 'what kind of server it is; speaches also stands for faster-whisper-server',
  },
  whisperModel: {
    env: 'WHISPER_MODEL',
    kind: 'text',
    default: undefined,
    help: "the model, as the server names it; default the dialect's",
  },
  whisperFormat: {
    env: 'WHISPER_FORMAT',
    kind: 'choice',
    choices: ['verbose_json', 'srt'],
    default: 'verbose_json',
    help: 'what it is asked for; srt where it has nothing better',
  },
  whisperTimeoutFactor: {
    env: 'WHISPER_TIMEOUT_FACTOR',
    kind: 'integer',
    min: 1,
    max: 100,
    default: '3',
    help: 'a call may take so many times as long as its audio, and ten minutes in any case',
  },
  liveKitUrl: {
    env: 'LIVEKIT_URL',
    kind: 'url',
    protocols: [...WEB, 'ws:', 'wss:'],
    default: undefined,
    help: 'the server whose live rooms must not be disturbed; without it nothing is done gently',
  },
  liveKitApiKey: { env: 'LIVEKIT_API_KEY', kind: 'text', default: undefined, help: 'with the right to list rooms' },
  liveKitApiSecret: { env: 'LIVEKIT_API_SECRET', kind: 'secret', default: undefined, help: 'the secret of that key' },
  gentleThreads: {
    env: 'GENTLE_THREADS',
    kind: 'integer',
    min: 1,
    max: 256,
    default: '2',
    help: 'threads asked for while a room is live, in a field that servers ignore and a proxy may obey',
  },
  gentleConcurrency: {
    env: 'GENTLE_CONCURRENCY',
    kind: 'integer',
    min: 1,
    max: 1_000,
    default: '1',
    help: 'calls at once in this process while a room is live',
  },
  gentleDefer: {
    env: 'GENTLE_DEFER',
    kind: 'duration',
    minMs: 0,
    maxMs: HOUR_MS,
    default: '0s',
    help: 'while a room is live, jobs of lower priority than 10 come back after so long instead; 0s: they go gently',
  },
  gentleMaxDefer: {
    env: 'GENTLE_MAX_DEFER',
    kind: 'duration',
    minMs: 0,
    maxMs: 24 * HOUR_MS,
    default: '2h',
    help: 'no job that is older is put off',
  },
  forgejoUrl: {
    env: 'FORGEJO_URL',
    kind: 'url',
    protocols: WEB,
    default: undefined,
    help: 'the server of the repositories that transcripts go to',
  },
  forgejoToken: { env: 'FORGEJO_TOKEN', kind: 'secret', default: undefined, help: 'with the right to write to them' },
} as const satisfies Record<string, ServiceSetting>
