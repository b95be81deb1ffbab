import { Cron } from 'croner'
import { PermanentError } from '../errors/permanent-error.ts'
import { show } from '../text/show.ts'

/** Five short lists at most, so that no text makes croner work for long. */
const maxLength = 100
const nicknames = new Set(['@yearly', '@annually', '@monthly', '@weekly', '@daily', '@midnight', '@hourly'])
const fiveFields = /^[\w*,/#+?-]+( +[\w*,/#+?-]+){4}$/
/** Any: whether a text ever ticks does not depend on it. */
const someTimeMs = Date.UTC(2_000, 0, 1)

/**
 * A cron text, ready to be asked for its ticks. It is never asked for Node's time.
 *
 * Clock changes: without `*` and steps in minute and hour, the text names times of day; one that is skipped comes at the first moment after the
 * gap, one that comes twice counts the first time. With them it is a rhythm, which goes on through both.
 * @throws PermanentError `CRON_INVALID`, `CRON_NEVER`
 */
export function parseCron(text: unknown, timeZone: string, where: string): Cron {
  const cron = parse(text, timeZone, where)
  if (cron.nextRun(new Date(someTimeMs)) !== null) return cron
  throw new PermanentError('CRON_NEVER', `${where}: the cron text ${show(text)} names no day that ever comes, such as a 30th of February.`)
}

function parse(text: unknown, timeZone: string, where: string): Cron {
  const isText = typeof text === 'string' && text.length <= maxLength
  // Croner would take a single date, too.
  if (!isText || !(nicknames.has(text) || fiveFields.test(text))) {
    throw invalid(text, where, `expected five fields, like "30 3 * * MON-FRI", in at most ${maxLength} characters, or a name like @daily`)
  }
  try {
    return new Cron(text, { timezone: timeZone, paused: true, mode: '5-part', fixedTimeRule: 'no-wildcard' })
  } catch (cause) {
    throw invalid(text, where, cause instanceof Error ? cause.message.replace(/^CronPattern: /, '') : 'not understood')
  }
}

function invalid(text: unknown, where: string, why: string): PermanentError {
  return new PermanentError('CRON_INVALID', `${where}: the cron text ${show(text)} is not valid: ${why.replace(/\.$/, '')}.`)
}
