import { BlockList, isIP } from 'node:net'

/** IPv4 that leads nowhere on the public internet: IANA's registry of special addresses, multicast and reserved ranges. */
const special4: [network: string, prefix: number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10], // carrier NAT; metadata of Alibaba
  ['127.0.0.0', 8],
  ['169.254.0.0', 16], // link-local; metadata of most clouds
  ['172.16.0.0', 12],
  ['192.0.0.0', 24], // metadata of Oracle
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  ['168.63.129.16', 32], // Azure's agent: a public address that means the host's own machine
]

/** Of IPv6 only this is the public internet … */
const global6 = '2000::'
/** … without what in it leads elsewhere: protocols such as Teredo, documentation, 6to4 (an IPv4 address inside), AS112. */
const special6: [network: string, prefix: number][] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
]

const inner4 = new BlockList()
const outer6 = new BlockList()
const inner6 = new BlockList()
for (const [network, prefix] of special4) inner4.addSubnet(network, prefix, 'ipv4')
for (const [network, prefix] of special6) inner6.addSubnet(network, prefix, 'ipv6')
outer6.addSubnet(global6, 3, 'ipv6')

/**
 * Whether an IP address is one of the public internet. Everything that is not surely one is none: private and link-local networks, this machine,
 * carriers' networks, multicast, and IPv6 that carries an IPv4 address (mapped, NAT64, 6to4, Teredo). Not an address: false.
 */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !inner4.check(address, 'ipv4')
    case 6:
      return outer6.check(address, 'ipv6') && !inner6.check(address, 'ipv6')
    default:
      return false
  }
}
