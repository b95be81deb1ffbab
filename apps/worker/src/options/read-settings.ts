import { readSetting } from './read-setting.ts'
import { SETTINGS, type WorkerSettings } from './settings.ts'

export type Environment = Readonly<Record<string, string | undefined>>

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
