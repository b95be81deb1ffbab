/** Everything a worker can be told, beside the database. */
export interface WorkerSettings {
  maxConcurrent: number
  pollIntervalMs: number
  /** Undefined: every type of the build. */
  types: readonly string[] | undefined
  leaseMs: number
  drainMs: number
  maxLoopBlockMs: number
  /** Undefined: it is found out. */
  pooler: PoolerMode | undefined
  strictRoles: boolean
  mediaRoot: string | undefined
  logRoot: string | undefined
  ffmpegPath: string
  ffprobePath: string
  logLevel: LogLevel
}

const POOLER_MODES = ['session', 'transaction'] as const
type PoolerMode = (typeof POOLER_MODES)[number]

const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

export type SettingKind =
  | { kind: 'integer'; min: number; max: number }
  | { kind: 'duration'; minMs: number; maxMs: number }
  | { kind: 'list' }
  /** On the command line it is given or not; as a variable it is `true` or `false`. */
  | { kind: 'switch' }
  | { kind: 'choice'; choices: readonly string[] }
  | { kind: 'text' }

/** One setting: its flag, its environment variable, what it may be. Flags win over the environment, which wins over the default. */
export type SettingSpec = SettingKind & {
  key: keyof WorkerSettings
  flag: string
  env: string
  /** As it would be written on the command line; undefined: none. */
  default: string | undefined
  placeholder: string
  help: string
}

const HOUR_MS = 3_600_000

export const SETTINGS: readonly SettingSpec[] = [
  {
    ...{ key: 'maxConcurrent', flag: 'max-concurrent', env: 'SIDELINJA_MAX_CONCURRENT', default: '3', placeholder: '<n>' },
    ...{ kind: 'integer', min: 1, max: 1_000 },
    help: 'how many jobs run at once',
  },
  {
    ...{ key: 'pollIntervalMs', flag: 'poll-interval', env: 'SIDELINJA_POLL_INTERVAL', default: '1s', placeholder: '<time>' },
    ...{ kind: 'duration', minMs: 10, maxMs: HOUR_MS / 6 },
    help: 'how often to look for due jobs when no notification comes',
  },
  {
    ...{ key: 'types', flag: 'types', env: 'SIDELINJA_TYPES', default: undefined, placeholder: '<a,b>' },
    kind: 'list',
    help: 'only these job types of the build',
  },
  {
    ...{ key: 'leaseMs', flag: 'lease', env: 'SIDELINJA_LEASE', default: '30s', placeholder: '<time>' },
    ...{ kind: 'duration', minMs: 1_000, maxMs: HOUR_MS },
    help: 'how long after its last heartbeat a dead worker loses its jobs',
  },
  {
    ...{ key: 'drainMs', flag: 'drain', env: 'SIDELINJA_DRAIN', default: '25s', placeholder: '<time>' },
    ...{ kind: 'duration', minMs: 0, maxMs: HOUR_MS },
    help: 'how long a stopping worker lets its jobs finish before it hands them back',
  },
  {
    ...{ key: 'maxLoopBlockMs', flag: 'max-loop-block', env: 'SIDELINJA_MAX_LOOP_BLOCK', default: '60s', placeholder: '<time>' },
    ...{ kind: 'duration', minMs: 1_000, maxMs: HOUR_MS },
    help: 'how long a handler may block the event loop before its worker is taken for dead',
  },
  {
    ...{ key: 'pooler', flag: 'pooler', env: 'SIDELINJA_POOLER', default: undefined, placeholder: '<mode>' },
    ...{ kind: 'choice', choices: POOLER_MODES },
    help: 'pool mode of the pooler in front of the database: session, as good as none, or transaction',
  },
  {
    ...{ key: 'strictRoles', flag: 'strict-roles', env: 'SIDELINJA_STRICT_ROLES', default: 'false', placeholder: '' },
    kind: 'switch',
    help: 'do not start as a superuser, with BYPASSRLS or as the owner of the tables',
  },
  {
    ...{ key: 'mediaRoot', flag: 'media-root', env: 'MEDIA_ROOT', default: undefined, placeholder: '<folder>' },
    kind: 'text',
    help: 'where the media files of payloads lie',
  },
  {
    ...{ key: 'logRoot', flag: 'log-root', env: 'LOG_ROOT', default: undefined, placeholder: '<folder>' },
    kind: 'text',
    help: "where the web server's access logs lie",
  },
  {
    ...{ key: 'ffmpegPath', flag: 'ffmpeg', env: 'FFMPEG_PATH', default: 'ffmpeg', placeholder: '<program>' },
    kind: 'text',
    help: 'ffmpeg, for handlers that read audio; without / it is looked for in PATH',
  },
  {
    ...{ key: 'ffprobePath', flag: 'ffprobe', env: 'FFPROBE_PATH', default: 'ffprobe', placeholder: '<program>' },
    kind: 'text',
    help: 'ffprobe, which comes with ffmpeg',
  },
  {
    ...{ key: 'logLevel', flag: 'log-level', env: 'LOG_LEVEL', default: 'info', placeholder: '<level>' },
    ...{ kind: 'choice', choices: LOG_LEVELS },
    help: LOG_LEVELS.join(', '),
  },
]
