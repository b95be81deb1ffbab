import { isIP } from 'node:net'
import { ConfigurationError } from '@sidelinja/jobs-core'
import { hostOf } from './host-of.ts'
import { isPublicAddress } from './public-address.ts'

/** What may be dialled. */
export interface AddressRules {
  /** Whether anything may be dialled by that port. */
  readonly mayUsePort: (port: number) => boolean
  readonly mayDial: (address: string, port: number) => boolean
}

const webPorts = [80, 443]

/**
 * Public addresses on the web's two ports, and nothing else but those few `address:port` of this machine that are named.
 * @throws ConfigurationError `ALLOWANCE_INVALID` for what is no IP address with a port: names and networks cannot be allowed.
 */
export function createAddressRules(allowLocal: readonly string[] = []): AddressRules {
  const allowed = new Map(allowLocal.map((text) => [text, portOf(text)]))
  return Object.freeze({
    mayUsePort: (port: number) => webPorts.includes(port) || [...allowed.values()].includes(port),
    mayDial: (address: string, port: number) => {
      const host = isIP(address) === 6 ? `[${address}]` : address
      return (isPublicAddress(address) && webPorts.includes(port)) || allowed.has(`${host}:${port}`)
    },
  })
}

function portOf(text: string): number {
  // A scheme of no default port: 80 has to stay.
  const url = URL.parse(`local://${text}`)
  if (url !== null && url.host === text && Number(url.port) > 0 && isIP(hostOf(url)) !== 0) return Number(url.port)
  throw new ConfigurationError(
    'ALLOWANCE_INVALID',
    `Expected an IP address with its port, like 127.0.0.1:8080 or [::1]:8080, in allowLocal; got ${JSON.stringify(text)}.`,
  )
}
