import { isIP } from 'node:net'

/**
 * The part of a client's address that tells listeners apart: IPv4 whole, IPv6 cut to /64 (one household), IPv4-mapped IPv6 as
 * IPv4. Addresses that Caddy's `hash` filter has replaced (hexadecimal digits) are used as they are. Undefined for anything else.
 */
export function cutAddress(raw: string): string | undefined {
  if (isIP(raw) === 4) return raw
  const address = withoutZoneAndPort(raw)
  const version = isIP(address)
  if (version === 4) return address
  if (version === 6) return cutIpv6(address)
  return /^[0-9a-f]{8,64}$/i.test(raw) ? raw.toLowerCase() : undefined
}

// `remote_addr` of Caddy before 2.5 is `ip:port`; link-local addresses carry `%eth0`.
function withoutZoneAndPort(raw: string): string {
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(raw)?.[1]
  const plain = /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(raw)?.[1]
  return (bracketed ?? plain ?? raw).replace(/%.*$/, '')
}

function cutIpv6(address: string): string {
  const groups = expand(address)
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff) {
    return [groups[6], groups[7]].flatMap((group = 0) => [group >> 8, group & 0xff]).join('.')
  }
  const prefix = groups.slice(0, 4).map((group) => group.toString(16))
  return `${prefix.join(':')}::/64`
}

function expand(address: string): number[] {
  const [head = '', tail] = address.split('::')
  const before = groupsOf(head)
  if (tail === undefined) return before
  const after = groupsOf(tail)
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after]
}

function groupsOf(part: string): number[] {
  if (part === '') return []
  return part.split(':').flatMap((group) => {
    if (!group.includes('.')) return [Number.parseInt(group, 16)]
    const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number)
    return [a * 256 + b, c * 256 + d]
  })
}
