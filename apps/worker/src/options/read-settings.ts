import { closest } from '@sidelinja/jobs-core/worker'
import { readSetting } from './read-setting.ts'
import { SETTINGS, type WorkerSettings } from './settings.ts'

export type Environment = Readonly<Record<string, string | undefined>>

const PREFIX = 'SIDELINJA_'

/** Flag over environment over default. An empty environment variable counts as not set. */
export function readSettings(flags: ReadonlyMap<string, string>, env: Environment): WorkerSettings {
  const entries = SETTINGS.map((spec) => {
    const flag = flags.get(spec.flag)
    if (flag !== undefined) return [spec.key, readSetting(spec, `--${spec.flag}`, flag)]
    const variable = env[spec.env]
    if (variable) return [spec.key, readSetting(spec, spec.env, variable)]
    return [spec.key, spec.default === undefined ? undefined : readSetting(spec, `--${spec.flag}`, spec.default)]
  })
  return Object.fromEntries(entries) as WorkerSettings
}

/** Environment variables that look like ours with a slip of the pen. Not an error: other programs share the environment. */
export function misspeltVariables(env: Environment): { name: string; meant: string }[] {
  const known = SETTINGS.map((spec) => spec.env).filter((name) => name.startsWith(PREFIX))
  return Object.keys(env)
    .filter((name) => name.startsWith(PREFIX) && !known.includes(name))
    .flatMap((name) => {
      const meant = closest(name, known)
      return meant ? [{ name, meant }] : []
    })
}
