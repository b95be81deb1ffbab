import type { z } from 'zod'
import { readReplySchema } from './read-reply-schema.ts'
import { admitsNull, type Reply, type ReplyLimits, type ReplyProperty, type ReplyShape } from './reply-shape.ts'

/** What stands on a line, and the lines below it. */
interface Words {
  readonly text: string
  readonly below: readonly string[]
}

/**
 * The schema of a reply in words, for the prompt: some models do not see the schema itself, and strict schemas hold no limits.
 * @throws ConfigurationError `REPLY_SCHEMA_UNSUITABLE`
 */
export function schemaInWords(schema: z.ZodType): string {
  const reply = readReplySchema(schema)
  const { below } = words(reply.root, reply)
  const named = [...reply.named].filter(([name]) => name !== '#')
  const others = named.flatMap(([name, shape]) => {
    const { text, below: lines } = words(shape, reply)
    return [`${capitalised(nameOf(name))} is ${text}`, ...lines]
  })
  return ['One JSON object with exactly these keys:', ...below, ...others].join('\n')
}

function words(shape: ReplyShape, reply: Reply): Words {
  const { text, below } = wordsFor(shape, reply)
  return { text: shape.description === undefined ? text : `${text}. ${oneLine(shape.description)}`, below }
}

function wordsFor(shape: ReplyShape, reply: Reply): Words {
  switch (shape.kind) {
    case 'object':
      return { text: 'an object with the keys', below: shape.properties.flatMap((property) => propertyLines(property, reply)) }
    case 'list': {
      const { text, below } = words(shape.items, reply)
      return { text: `a list${counted(shape.limits.minItems, shape.limits.maxItems, 'items')} of: ${text}`, below }
    }
    case 'choice':
      return {
        text: `${shape.values.length > 1 ? 'one of ' : ''}${shape.values.map((value) => JSON.stringify(value)).join(', ')}`,
        below: [],
      }
    case 'plain':
      return { text: plainWords(shape.type, shape.limits), below: [] }
    case 'named':
      return { text: nameOf(shape.name), below: [] }
    case 'union':
      return unionWords(shape.options.map((option) => words(option, reply)))
  }
}

function propertyLines({ key, shape, optional }: ReplyProperty, reply: Reply): string[] {
  const { description, ...rest } = shape
  const { text, below } = words(rest as ReplyShape, reply)
  const orNull = optional && !admitsNull(shape, reply.named) ? ', or null when there is none' : ''
  const ending = description === undefined ? '' : `. ${oneLine(description)}`
  return [`- ${JSON.stringify(key)}: ${text}${orNull}${ending}`, ...below.map((line) => `  ${line}`)]
}

function unionWords(options: readonly Words[]): Words {
  const long = options.filter(({ below }) => below.length > 0)
  const [only] = long
  if (only === undefined || long.length === 1) return { text: options.map(({ text }) => text).join(', or '), below: only?.below ?? [] }
  return { text: 'one of these:', below: options.flatMap(({ text, below }) => [`* ${text}`, ...below.map((line) => `  ${line}`)]) }
}

const plainNames = { string: 'text', number: 'a number', integer: 'a whole number', boolean: 'true or false', null: 'null' }

function plainWords(type: keyof typeof plainNames, limits: ReplyLimits): string {
  const { format, pattern, minimum, maximum, exclusiveMinimum, exclusiveMaximum } = limits
  const formatted =
    format === 'date'
      ? ' like 2026-01-31'
      : format === undefined
        ? pattern && ` matching /${pattern}/`
        : ` in the form of ${article(format)}`
  const bounds = [
    minimum !== undefined && `at least ${minimum}`,
    exclusiveMinimum !== undefined && `more than ${exclusiveMinimum}`,
    maximum !== undefined && `at most ${maximum}`,
    exclusiveMaximum !== undefined && `less than ${exclusiveMaximum}`,
  ]
  const said = bounds.filter((bound) => bound !== false)
  return `${plainNames[type]}${formatted ?? ''}${counted(limits.minLength, limits.maxLength, 'characters')}${said.length > 0 ? `, ${said.join(' and ')}` : ''}`
}

function counted(least: number | undefined, most: number | undefined, what: string): string {
  if (least !== undefined && least === most) return ` of ${least} ${what}`
  if (most !== undefined) return ` of ${least === undefined || least === 0 ? 'at most' : `${least} to`} ${most} ${what}`
  return least === undefined || least === 0 ? '' : ` of at least ${least} ${what}`
}

/** zod numbers what has no name of its own: `__schema0`. */
function nameOf(name: string): string {
  if (name === '#') return 'an object like the whole reply'
  return `shape "${name.replace(/^__schema/, '')}"`
}

function capitalised(text: string): string {
  return text.replace(/^./, (first) => first.toUpperCase())
}

function article(noun: string): string {
  return `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
