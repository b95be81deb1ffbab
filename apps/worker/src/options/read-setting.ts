import { ConfigurationError } from '@sidelinja/jobs-core'
import { closest } from '@sidelinja/jobs-core/worker'
import { formatDuration, parseDuration } from './duration.ts'
import type { SettingKind } from './settings.ts'

/** A setting's value from its text. `name` is what the user wrote it by: a flag or an environment variable. */
export function readSetting(spec: SettingKind, name: string, text: string): number | string | boolean | string[] {
  const value = text.trim()
  switch (spec.kind) {
    case 'integer': {
      const number = /^\d+$/.test(value) ? Number(value) : Number.NaN
      if (number >= spec.min && number <= spec.max) return number
      return invalid(name, `a whole number from ${spec.min} to ${spec.max}`, text)
    }
    case 'duration': {
      const ms = parseDuration(value)
      if (ms !== undefined && ms >= spec.minMs && ms <= spec.maxMs) return ms
      const range = `from ${formatDuration(spec.minMs)} to ${formatDuration(spec.maxMs)}`
      return invalid(name, `a time ${range} with its unit, such as 500ms, 30s or 2m`, text)
    }
    case 'list': {
      const items = value.split(',').map((item) => item.trim())
      if (items.every((item) => item !== '')) return [...new Set(items)]
      return invalid(name, 'names separated by commas', text)
    }
    case 'switch': {
      if (value === 'true' || value === 'false') return value === 'true'
      return invalid(name, 'true or false', text)
    }
    case 'choice': {
      if (spec.choices.includes(value)) return value
      const meant = closest(value, spec.choices)
      return invalid(name, `one of ${spec.choices.join(', ')}`, text, meant)
    }
    default:
      return value === '' ? invalid(name, 'a value', text) : value
  }
}

function invalid(name: string, expected: string, got: string, meant?: string): never {
  const hint = meant ? ` Did you mean ${meant}?` : ''
  throw new ConfigurationError('OPTION_INVALID', `${name} must be ${expected}, got ${JSON.stringify(got)}.${hint}`)
}
