import { ConfigurationError } from '@sidelinja/jobs-core'

/** Gateways take 64 of these characters, and a few of more kinds, as the name of a schema. */
const form = /^[a-z0-9-]{1,60}$/

/** @throws ConfigurationError `QUESTION_NAME_INVALID` */
export function checkQuestionName(name: string): void {
  if (typeof name === 'string' && form.test(name)) return
  throw new ConfigurationError(
    'QUESTION_NAME_INVALID',
    `gateway.ask: a question's name has 1 … 60 characters, small letters a … z, digits and dashes, like sum-up-2; got ${JSON.stringify(name)?.slice(0, 100)}. Nothing was asked.`,
  )
}
