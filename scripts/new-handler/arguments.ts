import { Refusal } from './refusal.ts'

export const USAGE = `Usage: npm run new-handler -- my_type [--ai]

Makes packages/handler-my-type: a handler that works and passes the conformance suite, to be changed into yours. It reads a media file;
with --ai it reads a transcript, asks the AI gateway about it and checks the quotes of the reply. docs/add-a-handler.md goes on from there.`

export interface Wanted {
  readonly type: string
  readonly ai: boolean
}

/** @throws Refusal when what is asked for is not clear. */
export function readArguments(given: readonly string[], env: NodeJS.ProcessEnv): Wanted | 'help' {
  // pnpm hands on the dashes that npm needs.
  const words = given[0] === '--' ? given.slice(1) : given
  if (words.includes('--help') || words.includes('-h')) return 'help'
  const unknown = words.find((word) => word.startsWith('-') && word !== '--ai')
  if (unknown !== undefined) throw new Refusal(`Expected a job type and perhaps --ai, got the option ${JSON.stringify(unknown)}.`)
  // npm keeps options for itself that stand before its dashes, and tells only here.
  if (env.npm_config_ai !== undefined && !words.includes('--ai')) {
    throw new Refusal('npm kept --ai for itself: put two dashes before what is not for npm, npm run new-handler -- my_type --ai.')
  }
  const types = words.filter((word) => word !== '--ai')
  const [type] = types
  if (type === undefined)
    throw new Refusal('Expected a job type: npm run new-handler -- my_type, or with --ai for one that asks the AI gateway.')
  if (types.length > 1) throw new Refusal(`Expected one job type, got ${types.length}: ${types.join(', ')}.`)
  return { type, ai: words.includes('--ai') }
}
