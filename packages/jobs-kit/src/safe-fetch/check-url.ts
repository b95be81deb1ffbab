import { isIP } from 'node:net'
import type { AddressRules } from './address-rules.ts'
import { hostOf } from './host-of.ts'
import { addressRefused } from './refusals.ts'

const ports: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 }

/** The port that is dialled for an address of the web; undefined for another one. */
export function portOf(url: URL): number | undefined {
  return url.port === '' ? ports[url.protocol] : Number(url.port)
}

/**
 * Judges an address by its text, before anything is looked up. The parser has folded every spelling of an IPv4 address by then: decimal, octal, hexadecimal, short, full-width.
 * @throws PermanentError `ADDRESS_REFUSED`
 */
export function checkUrl(url: URL, rules: AddressRules): void {
  const port = portOf(url)
  if (!Object.hasOwn(ports, url.protocol)) throw addressRefused(url, 'it is no address of the web')
  if (url.username !== '' || url.password !== '') throw addressRefused(url, 'it holds a user or a password')
  if (port === undefined || !rules.mayUsePort(port)) throw addressRefused(url, 'its port is not one of the web')
  const host = hostOf(url)
  if (isIP(host) !== 0 && !rules.mayDial(host, port)) throw addressRefused(url, 'it leads to an address that is not public')
}
