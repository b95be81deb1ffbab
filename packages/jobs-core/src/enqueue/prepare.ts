import { isJobType, type JobDefinition } from '../definition/define-job.ts'
import { InvalidPayloadError } from '../errors/permanent-error.ts'
import { show } from '../text/show.ts'
import { checkOptions } from './check-options.ts'
import { checkAgainstSchema, payloadToJson } from './check-payload.ts'
import type { EnqueueOptions, NewJob } from './options.ts'

/**
 * Checks one job whole, before any SQL. What is stored is the payload as it was given: the handler gets the schema's output, made
 * anew when it runs.
 */
export async function prepareJob<Input>(
  definition: JobDefinition<Input, unknown>,
  payload: Input,
  options: EnqueueOptions,
  where = `enqueue(${definition.type})`,
): Promise<NewJob> {
  checkOptions(options, where)
  await checkAgainstSchema(definition as JobDefinition, payload, where)
  return toNewJob(definition.type, payloadToJson(payload, where), {
    priority: definition.priority,
    maxAttempts: definition.maxAttempts,
    ...defined(options),
  })
}

/** Checks what can be checked without the definition; the handler that receives the job validates the rest. */
export function prepareByType(type: string, payload: unknown, options: EnqueueOptions, caller = 'enqueueByType'): NewJob {
  if (!isJobType(type)) {
    throw new InvalidPayloadError(
      'JOB_TYPE_INVALID',
      `${caller}: a job type is snake_case, a letter first, at most 63 characters; got ${show(type)}.`,
    )
  }
  const where = `${caller}(${type})`
  checkOptions(options, where)
  return toNewJob(type, payloadToJson(payload, where), options)
}

function toNewJob(type: string, payloadJson: string, options: EnqueueOptions): NewJob {
  return {
    collectionNodeId: options.collectionNodeId,
    type,
    payloadJson,
    priority: options.priority ?? null,
    scheduledFor: options.scheduledFor ?? null,
    maxAttempts: options.maxAttempts ?? null,
    uniqueKey: options.unique?.key ?? null,
    uniqueUntil: options.unique?.until ?? null,
    onConflict: options.unique?.onConflict ?? null,
    correlationId: options.correlationId ?? null,
  }
}

/** Without the options that are undefined, so that they do not hide defaults. */
export function defined<Options extends object>(options: Options): Options {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Options
}
