import { visibleLine } from './format/visible-text.ts'
import { isMessage } from './messages/index.ts'
import type { Ui } from './ui.svelte.ts'
import type { Reason } from './wire/bodies.ts'

type Words = Pick<Ui, 't' | 'duration' | 'age' | 'moment' | 'number'> & { readonly live: { readonly now: number } }
type Facts = Reason['facts']

/**
 * A reason in the reader's language, with its facts; undefined where there is no text for its code: then the sentence stands as it is, in
 * English. Pure.
 */
export function reasonText({ code, facts }: Reason, words: Words): string | undefined {
  const key = `reason.${code}${variantOf(code, facts)}`
  if (!isMessage(key)) return undefined
  const more = extras(facts, words)
  return `${words.t(key, valuesOf(facts, words))}${more === '' ? '' : ` ${more}`}`
}

/** Codes that say different things for different facts. */
function variantOf(code: string, facts: Facts): string {
  if (code === 'PAUSED') {
    if (facts.type === null || facts.type === undefined) return '.collection'
    return facts.collectionNodeId ? '.both' : '.type'
  }
  if (code === 'JOBS_AHEAD') return facts.more === true ? '.more' : ''
  if (code === 'SERVICE_DOWN') return facts.probing === true ? '.probing' : ''
  return ''
}

function valuesOf(facts: Facts, words: Words): Record<string, string | number> {
  const values: Record<string, string | number> = {}
  for (const [name, value] of Object.entries(facts)) {
    if (typeof value === 'number') values[name] = name.endsWith('Ms') ? words.duration(value) : words.number(value)
    else if (typeof value === 'string') values[name] = isTime(name, value) ? words.moment(value) : visibleLine(value, 200)
    else values[name] = '–'
  }
  const dueAt = typeof facts.dueAt === 'string' ? Date.parse(facts.dueAt) : undefined
  if (dueAt !== undefined) values.dueIn = words.duration(Math.max(0, dueAt - words.live.now))
  if (typeof facts.since === 'string') values.sinceAge = words.age(Math.max(0, words.live.now - Date.parse(facts.since)))
  const counted = facts.workers ?? facts.jobs ?? facts.attempts
  if (typeof counted === 'number') values.n = counted === 1 ? 1 : words.number(counted)
  return values
}

/** Who, why, and with what error: free text that somebody else wrote, after the sentence. */
function extras({ by, reason, error }: Facts, words: Words): string {
  const texts = [
    typeof by === 'string' ? words.t('reason.by', { by: visibleLine(by, 80) }) : '',
    typeof reason === 'string' ? words.t('reason.why', { reason: visibleLine(reason, 300) }) : '',
    typeof error === 'string' ? words.t('reason.error', { error: visibleLine(error, 300) }) : '',
  ]
  return texts.filter((text) => text !== '').join(' ')
}

function isTime(name: string, value: string): boolean {
  return (name === 'at' || name === 'since' || name.endsWith('At')) && /^\d{4}-\d{2}-\d{2}T/.test(value)
}
