import type { Rule } from '../reason.ts'
import type { Snapshot } from '../snapshot.ts'
import { length, moment } from '../words.ts'
import { waits } from './not-due.ts'

/** A service that its type cannot do without is down: workers leave the type alone. */
export const serviceDown: Rule = (snapshot) => {
  if (!waits(snapshot)) return undefined
  return snapshot.services.map((service) => {
    const { name, since, code, status, error, probeAt, probing } = service
    const facts = { service: name, since: moment(since), errorCode: code, httpStatus: status, error, probeAt: moment(probeAt), probing }
    const why = error === null ? '' : ` It failed with: ${error.replace(/\.$/, '')}.`
    return {
      code: 'SERVICE_DOWN' as const,
      sentence: `The service ${name}, which it needs, has been down since ${facts.since}.${why} ${next(service, snapshot.now)}`,
      facts,
    }
  })
}

function next({ probeAt, probing }: Snapshot['services'][number], now: number): string {
  if (probing) return 'One job is just finding out whether it is back.'
  if (probeAt <= now) return 'The next job that needs it finds out whether it is back.'
  return `In ${length(probeAt - now)}, at ${moment(probeAt)}, one job finds out whether it is back.`
}
