import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSafeFetch } from '../../src/safe-fetch/create-safe-fetch.ts'
import { recordDials } from '../../src/testing/record-dials.ts'

/** 127.0.0.1, as it can be written. */
const spellings = [
  ...[
    '127.0.0.1',
    '127.1',
    '127.0.1',
    '2130706433',
    '0x7f000001',
    '0x7F.1',
    '017700000001',
    '0177.0.0.1',
    '0x7f.0x0.0x0.0x1',
    '127.0.0.01',
    '127.0.0.1.',
  ],
  ...[
    '127.000.000.001',
    '127.127.127.127',
    '１２７.0.0.1',
    '①②⑦.⓪.⓪.①',
    '127。0。0。1',
    '127｡0｡0｡1',
    '%31%32%37.0.0.1',
    '127%2e0%2e0%2e1',
    '1\u00ad27.0.0.1',
  ],
  ...[
    '0',
    '0.0.0.0',
    '00',
    '0x0',
    '0.0',
    '[::]',
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
    '[::0001]',
    '[0000::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
  ],
  ...[
    '[0:0:0:0:0:ffff:127.0.0.1]',
    '[::127.0.0.1]',
    '[::ffff:0:127.0.0.1]',
    '[64:ff9b::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    '[2001:0:7f00:1::]',
  ],
]
/** What lies inside. */
const inner = [
  ...[
    '10.0.0.7',
    '10.1',
    '0xa.0.0.1',
    '012.0.0.1',
    '167772161',
    '172.16.0.1',
    '172.31.255.254',
    '0xac.16.0.1',
    '192.168.0.1',
    '192.168.1',
    '0xc0a80001',
    '3232235521',
  ],
  ...[
    '100.64.0.1',
    '100.127.255.254',
    '198.18.0.1',
    '192.0.0.1',
    '192.0.2.1',
    '224.0.0.1',
    '239.255.255.250',
    '240.0.0.1',
    '255.255.255.255',
    '168.63.129.16',
  ],
  ...[
    '[fc00::1]',
    '[fd12:3456::1]',
    '[fd00:ec2::254]',
    '[fe80::1]',
    '[febf::1]',
    '[fec0::1]',
    '[ff02::1]',
    '[100::1]',
    '[2001:db8::1]',
    '[3fff::1]',
    '[5f00::1]',
  ],
]
const metadata = [
  ...[
    '169.254.169.254',
    '2852039166',
    '0xa9fea9fe',
    '0251.0376.0251.0376',
    '0xa9.0xfe.0xa9.0xfe',
    '169.254.43518',
    '169.16689662',
    '[::ffff:169.254.169.254]',
  ],
  ...['[::ffff:a9fe:a9fe]', '[64:ff9b::a9fe:a9fe]', '[2002:a9fe:a9fe::]', '100.100.100.200', '192.0.0.192', '169.254.170.2'],
]
/** Names that lead inside; the resolver below says where. */
const names: Readonly<Record<string, readonly string[]>> = {
  localhost: ['127.0.0.1'],
  'localhost.': ['::1'],
  'ip6-localhost': ['::1'],
  'a.localhost': ['127.0.0.1'],
  '127.0.0.1.nip.example': ['127.0.0.1'],
  '0x7f.1.nip.example': ['127.0.0.1'],
  'metadata.google.internal': ['169.254.169.254'],
  'postgres.svc.cluster.local': ['10.96.0.12'],
  'router.example': ['192.168.1.1'],
  'mixed.example': ['203.0.114.9', '10.0.0.7'],
  'mixed6.example': ['2a00:1450:400f:80c::200e', 'fd00::1'],
  'mapped.example': ['::ffff:10.0.0.7'],
  'nothing.example': [],
  'no-address.example': ['not an address'],
  'xn--lcalhost-54a.example': ['127.0.0.1'],
}
const whole = [
  ...[
    'file:///etc/hostname',
    'ftp://example.org/',
    'gopher://127.0.0.1:5432/_x',
    'dict://127.0.0.1:11211/stats',
    'data:text/html,x',
    'blob:http://example.org/1',
  ],
  ...[
    'javascript:alert(1)',
    'ws://127.0.0.1/',
    'unix:/run/postgresql',
    'http+unix://%2frun%2fdocker.sock/',
    'jar:http://example.org!/x',
    'view-source:http://example.org/',
  ],
  ...[
    'http://example.org@127.0.0.1/',
    'http://127.0.0.1:80@example.org/',
    'http://u:p@example.org/',
    'http://:p@example.org/',
    'https://u@example.org/',
  ],
  ...[
    'http://example.org:22/',
    'http://example.org:5432/',
    'http://example.org:8080/',
    'http://example.org:0/',
    'https://example.org:6379/',
    'http://127.0.0.1:5432/',
  ],
  ...[
    'http:127.0.0.1',
    'http:\\\\127.0.0.1\\',
    'http://127.0.0.1\\@example.org/',
    'http://\t127.0.0.1/',
    'ht\ntp://127.0.0.1/',
    'http:///127.0.0.1/',
    'HTTP://127.1',
  ],
  ...[
    'http://127.0.0.1#@example.org/',
    'http://127.0.0.1?@example.org/',
    'http://[::1]:80/',
    'https://[::ffff:10.0.0.1]/',
    'http:/127.0.0.1',
    '  http://127.0.0.1  ',
  ],
]
const urls = [
  ...[...spellings, ...inner, ...metadata].map((host) => `http://${host}/`),
  ...Object.keys(names).map((host) => `https://${host}/`),
  ...whole,
]

describe('an address that leads inside', () => {
  let server: Server
  const met: unknown[] = []
  beforeAll(async () => {
    server = createServer((socket) => met.push(socket.destroy())).listen(0, '127.0.0.1')
    await once(server, 'listening')
  })
  afterAll(() => server.close())

  test(`in one of ${urls.length} spellings is refused, and nothing is dialled`, async () => {
    expect(new Set(urls).size).toBe(urls.length)
    expect(urls.length).toBeGreaterThanOrEqual(120)
    using dials = recordDials()
    const resolve = async (name: string) =>
      (names[name] ?? ['127.0.0.1']).map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    // An opening of another port opens nothing else.
    const allowLocal = [`127.0.0.1:${(server.address() as { port: number }).port}`]
    const fetcher = createSafeFetch({ service: 'web', userAgent: 'test', resolve, allowLocal })
    const outcomes = await Promise.all(
      urls.map(async (text) => {
        const url = URL.parse(text)
        if (url === null) return [text, 'no address']
        const request = { accept: '*/*', timeoutMs: 20_000, limit: () => 1_000, signal: new AbortController().signal }
        return await fetcher.get(url, request).then(
          ({ status }) => [text, String(status)],
          ({ code, kind }) => [text, `${kind} ${code}`],
        )
      }),
    )
    expect(outcomes.filter(([, outcome]) => outcome !== 'permanent ADDRESS_REFUSED' && outcome !== 'no address')).toEqual([])
    expect(outcomes.filter(([, outcome]) => outcome === 'no address').length).toBeLessThan(5)
    expect(dials.addresses).toEqual([])
    expect(met).toEqual([])
  })
})
