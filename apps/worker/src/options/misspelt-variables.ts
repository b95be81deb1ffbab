import { closest } from '@sidelinja/jobs-core/worker'
import type { Environment } from './read-settings.ts'
import { SERVICE_SETTINGS, type ServiceSetting } from './service-settings.ts'
import { SETTINGS } from './settings.ts'

/** How names of ours begin. All but the first are names of other programs too. */
const PREFIXES = ['SIDELINJA_', 'WHISPER_', 'LIVEKIT_', 'GENTLE_', 'AI_GATEWAY_', 'FORGEJO_', 'SPACETIMEDB_']

const known = [
  ...SETTINGS.map(({ env }) => env),
  ...Object.values<ServiceSetting>(SERVICE_SETTINGS).flatMap(({ env, kind }) => (kind === 'secret' ? [env, `${env}_FILE`] : [env])),
]

/** Environment variables that look like ours with a slip of the pen. Not an error: other programs share the environment. */
export function misspeltVariables(env: Environment): { name: string; meant: string }[] {
  return PREFIXES.flatMap((prefix) => {
    const ours = known.filter((name) => name.startsWith(prefix))
    return Object.keys(env)
      .filter((name) => name.startsWith(prefix) && !ours.includes(name) && !isOfTheServer(name, prefix))
      .flatMap((name) => {
        const meant = closest(name, ours)
        // Where what it is near to is set, it is most likely somebody else's.
        const foreign = prefix !== 'SIDELINJA_' && meant !== undefined && Boolean(env[meant])
        return meant === undefined || foreign ? [] : [{ name, meant }]
      })
  })
}

/** Servers have settings of their own, which an environment file for all containers holds too: WHISPER__MODEL, FORGEJO__server__ROOT_URL. */
function isOfTheServer(name: string, prefix: string): boolean {
  return name.startsWith(`${prefix}_`)
}
