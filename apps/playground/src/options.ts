import { parseArgs } from 'node:util'
import { ConfigurationError } from '@sidelinja/jobs-core'
import { closest } from '@sidelinja/jobs-core/worker'

export interface PlaygroundOptions {
  /** End when the sample's jobs are done. */
  once: boolean
  /** Folder of everything that is kept. */
  state: string
  /** Also open the embedded PostgreSQL on this TCP port. */
  port: number | undefined
  /** Leave the admin page out. */
  noAdmin: boolean
  /** Where the admin page listens; undefined: the first free port from 3000 on. */
  adminPort: number | undefined
  /** Answer the transcription with a recorded reply, also where something could listen. */
  recorded: boolean
  help: boolean
}

const options = {
  once: { type: 'boolean' },
  state: { type: 'string' },
  port: { type: 'string' },
  'admin-port': { type: 'string' },
  'no-admin': { type: 'boolean' },
  recorded: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

export const helpText = `npm start [-- options]: Sidelinja's jobs on sample data, with the admin page

  --once           end when the sample's jobs are done: exit 0, or 1 with the error; without the admin page
  --admin-port <n> where the admin page listens on 127.0.0.1 (default: the first free port from 3000 on; 0: any free one)
  --no-admin       without the admin page
  --port <n>       also open the embedded PostgreSQL on this port of 127.0.0.1 (0: any free one)
  --recorded       a recorded transcript, also where pocketsphinx could listen: faster
  --state <folder> where data is kept (default .sidelinja)

DATABASE_URL: use this database instead of the embedded PostgreSQL.`

/** Reads the command line; what it does not know is a ConfigurationError. */
export function readOptions(args: readonly string[], defaultState: string): PlaygroundOptions {
  const { tokens, values } = parseArgs({ args: [...args], options, strict: false, tokens: true })
  const names = Object.keys(options)
  for (const token of tokens) {
    if (token.kind === 'option' && names.includes(token.name)) continue
    const given = token.kind === 'option' ? token.rawName : token.kind === 'positional' ? token.value : '--'
    const meant = closest(given.replace(/^-+/, ''), names)
    throw new ConfigurationError(
      'OPTION_UNKNOWN',
      `Unknown option ${given}.${meant ? ` Did you mean --${meant}?` : ' See npm start -- --help.'}`,
    )
  }
  return {
    once: values.once === true,
    state: typeof values.state === 'string' && values.state !== '' ? values.state : defaultState,
    port: readPort('port', values.port),
    adminPort: readPort('admin-port', values['admin-port']),
    noAdmin: values['no-admin'] === true,
    recorded: values.recorded === true,
    help: values.help === true,
  }
}

function readPort(name: string, value: string | boolean | undefined): number | undefined {
  if (value === undefined) return undefined
  const port = typeof value === 'string' && /^\d{1,5}$/.test(value) ? Number(value) : Number.NaN
  if (port <= 65_535) return port
  throw new ConfigurationError('OPTION_INVALID', `--${name} must be a port number from 0 to 65535, got ${JSON.stringify(value)}.`)
}
