import { lookup } from 'node:dns/promises'
import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import type { AddressRules } from './address-rules.ts'
import { portOf } from './check-url.ts'
import { hostOf } from './host-of.ts'
import { addressRefused } from './refusals.ts'

/** What a name leads to. */
export interface ResolvedAddress {
  readonly address: string
  /** 4 or 6. */
  readonly family: number
}

/** Looks a name up. */
export type Resolve = (name: string) => Promise<readonly ResolvedAddress[]>

/** As the system does: also by its hosts file. */
export const resolveBySystem: Resolve = (name) => lookup(name, { all: true, verbatim: true })

/**
 * An agent for one address, whose connections go nowhere else than where the rules let them. A name is looked up once for a connection, all that it leads to is judged, and the connection is given
 * just those addresses: a name that leads elsewhere a moment later (DNS rebinding) changes nothing. No proxy of the environment is asked.
 */
export function createCheckedAgent(url: URL, { rules, resolve }: { rules: AddressRules; resolve: Resolve }): HttpAgent {
  const port = portOf(url) ?? 0
  const checkedLookup: LookupFunction = (name, { all }, found) => {
    resolve(name).then(
      (addresses) => {
        const [first] = addresses
        if (first === undefined || !addresses.every(({ address }) => rules.mayDial(address, port))) {
          return found(addressRefused(url, 'it leads to an address that is not public'), [])
        }
        return all ? found(null, [...addresses]) : found(null, first.address, first.family)
      },
      (error: NodeJS.ErrnoException) => found(error, []),
    )
  }
  const agent = url.protocol === 'https:' ? new HttpsAgent({ keepAlive: false }) : new HttpAgent({ keepAlive: false })
  const connect = agent.createConnection.bind(agent)
  agent.createConnection = (options, onConnected) => {
    // Nobody looks up an address that is a number already.
    const host = hostOf(url)
    if (isIP(host) !== 0 && !rules.mayDial(host, port)) throw addressRefused(url, 'it leads to an address that is not public')
    return connect({ ...options, host, port, lookup: checkedLookup }, onConnected)
  }
  return agent
}
