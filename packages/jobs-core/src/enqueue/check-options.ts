import { InvalidPayloadError } from '../errors/permanent-error.ts'
import { closest } from '../text/closest.ts'
import { isUuid } from '../text/is-uuid.ts'
import { show } from '../text/show.ts'
import type { EnqueueOptions, UniqueOptions } from './options.ts'

const optionNames = [
  'collectionNodeId',
  'priority',
  'scheduledFor',
  'maxAttempts',
  'correlationId',
  'unique',
] satisfies (keyof EnqueueOptions)[]
const uniqueNames = ['key', 'until', 'onConflict'] satisfies (keyof UniqueOptions)[]

const MAX_UNIQUE_KEY_LENGTH = 512
const MAX_CORRELATION_ID_LENGTH = 200

/** PostgreSQL's timestamptz ends in the year 294276; JavaScript's dates go a little less far back than its beginning. */
const latestTime = Date.UTC(275_760, 0, 1)
const earliestTime = Date.UTC(-4_712, 0, 1)

/**
 * Checks the options of one job before any SQL. `where` stands in front of messages: `enqueue(whisper_transcribe)`.
 * @throws InvalidPayloadError `OPTION_INVALID`
 */
export function checkOptions(options: EnqueueOptions, where: string): void {
  checkNames(options, optionNames, where)
  if (!isUuid(options.collectionNodeId)) {
    fail(where, 'collectionNodeId', 'the uuid of the collection the job belongs to', options.collectionNodeId)
  }
  checkInteger(where, 'priority', options.priority, [-32_768, 32_767])
  checkInteger(where, 'maxAttempts', options.maxAttempts, [1, 32_767])
  checkTime(where, options.scheduledFor)
  checkText(where, 'correlationId', options.correlationId, MAX_CORRELATION_ID_LENGTH)
  if (options.unique !== undefined) checkUnique(where, options.unique)
}

function checkUnique(where: string, unique: UniqueOptions): void {
  if (typeof unique !== 'object' || unique === null) fail(where, 'unique', 'an object with a key', unique)
  checkNames(unique, uniqueNames, `${where} unique`)
  if (unique.key === undefined) fail(where, 'unique.key', 'a text that names the work', undefined)
  checkText(where, 'unique.key', unique.key, MAX_UNIQUE_KEY_LENGTH)
  checkChoice(where, 'unique.until', unique.until, ['claimed', 'finished'])
  checkChoice(where, 'unique.onConflict', unique.onConflict, ['keep', 'replace', 'debounce'])
}

function checkNames(options: object, known: readonly string[], where: string): void {
  if (typeof options !== 'object' || options === null) fail(where, 'options', 'an object with a collectionNodeId', options)
  const unknown = Object.keys(options).find((name) => !known.includes(name))
  if (unknown === undefined) return
  const near = closest(unknown, known)
  throw new InvalidPayloadError(
    'OPTION_INVALID',
    `${where}: there is no option ${JSON.stringify(unknown)}${near ? `; did you mean ${near}?` : '.'} Known: ${known.join(', ')}.`,
  )
}

function checkInteger(where: string, name: string, value: unknown, [min, max]: readonly [number, number]): void {
  if (value === undefined) return
  if (!Number.isInteger(value) || (value as number) < min || (value as number) > max)
    fail(where, name, `a whole number from ${min} to ${max}`, value)
}

function checkTime(where: string, value: unknown): void {
  if (value === undefined) return
  const time = value instanceof Date ? value.getTime() : Number.NaN
  if (Number.isNaN(time)) fail(where, 'scheduledFor', 'a valid Date', value instanceof Date ? 'an invalid Date' : value)
  if (time > latestTime || time < earliestTime) fail(where, 'scheduledFor', 'a Date PostgreSQL can hold', (value as Date).toISOString())
}

function checkText(where: string, name: string, value: unknown, maxLength: number): void {
  if (value === undefined) return
  const fits = typeof value === 'string' && value !== '' && value.length <= maxLength && !value.includes('\0') && value.isWellFormed()
  if (!fits) fail(where, name, `a text of 1 to ${maxLength} characters without NUL or half surrogates`, value)
}

function checkChoice(where: string, name: string, value: unknown, choices: readonly string[]): void {
  if (value !== undefined && !choices.includes(value as string))
    fail(where, name, choices.map((choice) => `'${choice}'`).join(' or '), value)
}

function fail(where: string, name: string, expected: string, got: unknown): never {
  throw new InvalidPayloadError('OPTION_INVALID', `${where}: ${name} must be ${expected}, got ${show(got)}.`)
}
