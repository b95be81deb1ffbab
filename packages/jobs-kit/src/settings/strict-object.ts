import { closest } from '@sidelinja/jobs-core/worker'
import { z } from 'zod'

/** An object in which every key must be known; the message about an unknown one names the key that was probably meant. */
export function strictObject<Shape extends z.core.$ZodLooseShape>(shape: Shape): z.ZodObject<Shape, z.core.$strict> {
  return z.strictObject(shape, {
    error: (issue) => (issue.code === 'unrecognized_keys' ? unknownKeys(issue.keys as string[], Object.keys(shape)) : undefined),
  })
}

function unknownKeys(keys: readonly string[], known: readonly string[]): string {
  return keys.map((key) => `unknown key ${JSON.stringify(key)}, ${hint(key, known)}`).join('; ')
}

function hint(key: string, known: readonly string[]): string {
  const meant = closest(key, known)
  return meant === undefined ? `the known keys are ${known.join(', ')}` : `did you mean ${JSON.stringify(meant)}?`
}
