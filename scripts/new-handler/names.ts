import { Refusal } from './refusal.ts'

/** One name in its spellings, and where its package lies. */
export interface Names {
  /** `my_type` */
  readonly type: string
  /** `my-type` */
  readonly kebab: string
  /** `myType` */
  readonly camel: string
  /** `packages/handler-my-type` */
  readonly folder: string
  /** `@sidelinja/handler-my-type` */
  readonly package: string
}

/** What a definition cannot be called in TypeScript. */
const reserved =
  'arguments await break case catch class const continue debugger default delete do else enum eval export extends false finally for function if implements import in instanceof interface let new null package private protected public return static super switch this throw true try typeof undefined var void while with yield'.split(
    ' ',
  )
const maxLength = 63

/**
 * @param taken identifiers that the sources of the package use for something else
 * @throws Refusal when the name is no job type, or none that a definition can bear
 */
export function spell(type: string, taken: ReadonlySet<string>): Names {
  if (!/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(type) || type.length > maxLength) {
    throw new Refusal(
      `Expected a job type of small letters and digits with underscores between words, at most ${maxLength} characters, like file_checksum; got ${JSON.stringify(type)}.`,
    )
  }
  const kebab = type.replaceAll('_', '-')
  const camel = type.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
  if (reserved.includes(camel) || camel in globalThis || taken.has(camel)) {
    throw new Refusal(
      `Expected a job type whose name is free in TypeScript, got ${type}: ${camel} means something else there; try two words, like file_checksum.`,
    )
  }
  return { type, kebab, camel, folder: `packages/handler-${kebab}`, package: `@sidelinja/handler-${kebab}` }
}
