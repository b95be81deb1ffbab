import { edit, type Mutation } from './mutation.ts'

const fetcher = 'packages/jobs-kit/src/safe-fetch'
const upsert = 'packages/jobs-kit/src/storage/host/upsert-page-node.ts'
const hostile = { file: 'packages/jobs-kit/test/safe-fetch/hostile-urls.test.ts', name: 'is refused, and nothing is dialled' }
const redirected = { file: 'packages/jobs-kit/test/safe-fetch/safe-fetch.test.ts', name: 'by a redirect dials nothing there' }
const node = (name: string) => ({ file: 'packages/jobs-kit/test/host/page-nodes.test.ts', name })

/** What keeps a fetch outside, and what a page's node may not lose. */
export const pageMutations: readonly Mutation[] = [
  {
    name: 'all addresses of a name that is fetched',
    edits: [
      edit(
        `${fetcher}/checked-agent.ts`,
        '!addresses.every(({ address }) => rules.mayDial(address, port))',
        '!rules.mayDial(first.address, port)',
      ),
    ],
    tests: [hostile],
  },
  {
    name: 'addresses that a name leads to',
    edits: [edit(`${fetcher}/checked-agent.ts`, ' || !addresses.every(({ address }) => rules.mayDial(address, port))', '')],
    tests: [hostile],
  },
  {
    name: 'addresses that are numbers',
    edits: [
      edit(`${fetcher}/check-url.ts`, '  if (isIP(host) !== 0 && !rules.mayDial(host, port))', '  if (isIP(host) === 7)'),
      edit(`${fetcher}/checked-agent.ts`, 'if (isIP(host) !== 0 && !rules.mayDial(host, port))', 'if (isIP(host) === 7)'),
    ],
    tests: [hostile, redirected],
  },
  {
    name: 'the address that a redirect sends to',
    edits: [edit(`${fetcher}/create-safe-fetch.ts`, '  checkUrl(url, dialling.rules)\n', '')],
    tests: [redirected],
  },
  {
    name: 'bound of what is unpacked',
    edits: [edit(`${fetcher}/unpack.ts`, '      if (bytes > maxBytes) break\n', '')],
    tests: [{ file: 'packages/jobs-kit/test/safe-fetch/safe-fetch.test.ts', name: 'one that unpacks to more takes no more memory' }],
  },
  {
    name: 'robots.txt of what a redirect leads to',
    edits: [edit(`${fetcher}/create-safe-fetch.ts`, '  if (request.mayAsk && !(await request.mayAsk(url))) throw new NotAsked(url)\n', '')],
    tests: [
      { file: 'packages/jobs-kit/test/safe-fetch/safe-fetch.test.ts', name: 'that may not be asked is not' },
      { file: 'packages/jobs-kit/test/web-pages/sent-on.test.ts', name: 'is obeyed where the same site sends on' },
    ],
  },
  {
    name: 'tenant of the node that a page is a source for',
    edits: [
      edit(
        'packages/handler-url-ingest/src/handler.ts',
        'if (forNodeId !== undefined) await collections.readNode(collectionNodeId, forNodeId)',
        '',
      ),
    ],
    tests: [{ file: 'packages/handler-url-ingest/test/edges.test.ts', name: 'is one of the collection' }],
  },
  {
    name: 'tenant of the node of a page',
    edits: [
      edit(upsert, 'where loses or not mine', 'where loses'),
      edit(upsert, '      where ${isMine}\n      returning 1', '      returning 1'),
    ],
    tests: [node('never takes the place of one that is not the collection’s')],
  },
  {
    name: 'a page that was read, before what stands in its way',
    edits: [edit(upsert, 'where loses or not mine', 'where not mine')],
    tests: [node('that was read is not lost to what stands in its way later')],
  },
]
