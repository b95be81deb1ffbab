import type { StandardSchemaV1 } from '@standard-schema/spec'
import { ConfigurationError } from '../errors/configuration-error.ts'
import { show } from '../text/show.ts'

/** Defaults of a definition; each may be overridden per definition, priority and attempts also per job. */
const DEFAULT_PRIORITY = 0
const DEFAULT_MAX_ATTEMPTS = 3
const DEFAULT_TIMEOUT_MS = 10 * 60_000

/** What {@link defineJob} is given. */
export interface JobDefinitionOptions<Input, Output> {
  /** The kind of job: snake_case, starts with a letter, at most 63 characters. Stored in `job_type`; never rename a type in use. */
  type: string
  /** Any Standard Schema (zod, valibot, arktype …). Checked when a job is enqueued and again before its handler runs. */
  payload: StandardSchemaV1<Input, Output>
  /** −32768 … 32767, higher first: 10 user-facing, 5 normal, 1 background. Default 0. */
  priority?: number
  /** 1 … 32767. Default 3. */
  maxAttempts?: number
  /** How long one attempt may take, in milliseconds: 1 … 2,147,483,647. Default 10 minutes. */
  timeoutMs?: number
}

/** A job type's name, payload schema and defaults. Holds no code, so importing it costs a web server nothing. */
export interface JobDefinition<Input = unknown, Output = Input> {
  readonly type: string
  readonly payload: StandardSchemaV1<Input, Output>
  readonly priority: number
  readonly maxAttempts: number
  readonly timeoutMs: number
}

/**
 * Defines a job type.
 * @throws ConfigurationError `DEFINITION_INVALID` when an option is out of range.
 */
export function defineJob<Input, Output>(options: JobDefinitionOptions<Input, Output>): JobDefinition<Input, Output> {
  const definition: JobDefinition<Input, Output> = {
    type: options.type,
    payload: options.payload,
    priority: options.priority ?? DEFAULT_PRIORITY,
    maxAttempts: options.maxAttempts ?? DEFAULT_MAX_ATTEMPTS,
    timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
  }
  if (!isJobType(definition.type)) fail(definition.type, 'type', 'snake_case, a letter first, at most 63 characters', definition.type)
  if (typeof definition.payload?.['~standard']?.validate !== 'function') {
    fail(definition.type, 'payload', 'a Standard Schema, for example a zod object', definition.payload)
  }
  checkInteger(definition.type, 'priority', definition.priority, [-32_768, 32_767])
  checkInteger(definition.type, 'maxAttempts', definition.maxAttempts, [1, 32_767])
  checkInteger(definition.type, 'timeoutMs', definition.timeoutMs, [1, 2_147_483_647])
  return Object.freeze(definition)
}

/** True when `value` can name a job type: snake_case, a letter first, at most 63 characters. */
export function isJobType(value: unknown): value is string {
  return typeof value === 'string' && /^[a-z][a-z0-9_]{0,62}$/.test(value)
}

function checkInteger(type: string, option: string, value: number, [min, max]: readonly [number, number]): void {
  if (!Number.isInteger(value) || value < min || value > max) fail(type, option, `a whole number from ${min} to ${max}`, value)
}

function fail(type: unknown, option: string, expected: string, got: unknown): never {
  throw new ConfigurationError('DEFINITION_INVALID', `defineJob(${show(type)}): ${option} must be ${expected}, got ${show(got)}.`)
}
