import { parseArgs } from 'node:util'
import { ConfigurationError } from '@sidelinja/jobs-core'
import type { AdoptOptions } from '@sidelinja/jobs-core/admin'
import { closest } from '@sidelinja/jobs-core/worker'
import { readAdoptOptions } from './read-adopt-options.ts'
import { SETTINGS } from './settings.ts'

type CommandName = 'start' | 'migrate' | 'migrate status' | 'help' | 'version'

export interface CommandLine {
  command: CommandName
  /** Flag name without dashes → text. */
  flags: ReadonlyMap<string, string>
  /** How `migrate` is to take over an existing queue; undefined when it is not. */
  adopt?: AdoptOptions
  /** True: `migrate` is to make the roles and the row-level security as well. */
  roles: boolean
}

const options = {
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'V' },
  adopt: { type: 'boolean' },
  'dry-run': { type: 'boolean' },
  force: { type: 'boolean' },
  roles: { type: 'boolean' },
  'adopt-collection': { type: 'string' },
  ...Object.fromEntries(SETTINGS.map((spec) => [spec.flag, { type: spec.kind === 'switch' ? ('boolean' as const) : ('string' as const) }])),
} as const
const names = Object.keys(options)
const settingNames = SETTINGS.map((spec) => spec.flag)

/** Which command with which flags. Anything unknown is a ConfigurationError that names what was meant. */
export function parseCommandLine(args: readonly string[]): CommandLine {
  // Not strict, so that the errors are ours: they know what was meant.
  const { tokens, positionals } = parseArgs({ args: [...args], options, strict: false, tokens: true, allowPositionals: true })
  const flags = new Map<string, string>()
  const switches = new Set<string>()
  for (const token of tokens) {
    if (token.kind !== 'option') continue
    if (!names.includes(token.name)) throw unknown(token.rawName)
    if (isSwitch(token.name)) {
      if (token.value !== undefined) throw new ConfigurationError('OPTION_INVALID', `--${token.name} takes no value.`)
      switches.add(token.name)
      if (settingNames.includes(token.name)) flags.set(token.name, 'true')
    } else {
      flags.set(token.name, value(token.name, token.value, token.inlineValue))
    }
  }
  const command = readCommand(positionals)
  const asked = (['help', 'version'] as const).find((name) => switches.has(name))
  const roles = switches.has('roles')
  if (asked) return { command: asked, flags, roles }
  if (roles && !command.startsWith('migrate')) throw new ConfigurationError('OPTION_INVALID', '--roles belongs to the command migrate.')
  const adopt = readAdoptOptions(command, flags, switches)
  return { command, flags, roles, ...(adopt && { adopt }) }
}

function isSwitch(name: string): boolean {
  return Object.entries(options).some(([option, { type }]) => option === name && type === 'boolean')
}

function value(name: string, text: string | undefined, inline: boolean | undefined): string {
  if (text === undefined || (!inline && text.startsWith('--'))) {
    throw new ConfigurationError('OPTION_INVALID', `--${name} needs a value, such as --${name}=${exampleOf(name)}.`)
  }
  return text
}

function exampleOf(name: string): string {
  if (name === 'adopt-collection') return '<uuid>'
  const spec = SETTINGS.find(({ flag }) => flag === name)
  return spec?.default ?? spec?.placeholder ?? ''
}

function readCommand(positionals: readonly string[]): CommandName {
  const [name = 'start', ...rest] = positionals
  const words = [name, ...rest].join(' ')
  if (words === 'start' || words === 'migrate' || words === 'migrate status') return words
  if (words === 'migrate up') return 'migrate'
  if (words === 'help' || words === 'version') return words
  const meant = closest(words, ['start', 'migrate', 'migrate status', 'help', 'version'])
  throw new ConfigurationError(
    'COMMAND_UNKNOWN',
    `Unknown command ${JSON.stringify(words)}. Expected start, migrate or migrate status.${meant ? ` Did you mean ${meant}?` : ''}`,
  )
}

function unknown(rawName: string): ConfigurationError {
  const meant = rawName.startsWith('--') ? closest(rawName.slice(2), names) : undefined
  const hint = meant ? ` Did you mean --${meant}?` : ' See --help.'
  return new ConfigurationError('OPTION_UNKNOWN', `Unknown option ${rawName}.${hint}`)
}
