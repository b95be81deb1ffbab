import { PermanentError, QueueError } from '@sidelinja/jobs-core'
import { type AuditEntry, listAudit, type UserAccess } from '@sidelinja/jobs-core/admin'
import { auditFilter, auditFilterNames } from '../audit-query.ts'
import { csvLine, type Separator } from '../http/csv.ts'
import { one, refuseUnknown } from '../read-query.ts'
import { readerOf } from '../refusal/reader.ts'
import { defineRoute, type RouteContext } from '../route.ts'
import { reading } from '../user-session.ts'
import { viewAudit } from '../views/audit-view.ts'

/** More is another request, with `before` the id of the last line. */
const most = 10_000
const pageSize = 200

type Line = ReturnType<typeof viewAudit>
const columns = [
  ...(['id', 'at', 'actor', 'action', 'outcome', 'code', 'job_id', 'job_type', 'run', 'collection_node_id'] as const),
  ...(['status_before', 'status_after', 'error_group', 'bulk_id', 'reason'] as const),
] satisfies readonly (keyof Line)[]

interface Format {
  type: string
  head: string
  line: (entry: Line) => string
}

const formats = {
  // The mark is how spreadsheets know that it is UTF-8.
  csv: (separator: Separator): Format => ({
    type: 'text/csv; charset=utf-8',
    head: `\uFEFF${csvLine(columns, separator)}`,
    line: (entry) =>
      csvLine(
        columns.map((name) => entry[name]),
        separator,
      ),
  }),
  jsonl: (): Format => ({ type: 'application/x-ndjson; charset=utf-8', head: '', line: (entry) => `${JSON.stringify(entry)}\n` }),
}

/** Where a comma stands in numbers, spreadsheets expect a semicolon between cells. */
function separatorFor(headers: Headers): Separator {
  return readerOf(headers).lang === 'en' ? ',' : ';'
}

/**
 * `GET {base}/audit/export?format=csv&job_id=&actor=&action=&bulk_id=&before=`: the same entries as the list, newest first, up to 10,000, as a file: `csv`, with the
 * separator of the reader's language, or `jsonl`, one object a line. It holds no more than the list does, so it is not written down.
 */
export const exportAudit = defineRoute({
  method: 'GET',
  under: 'base',
  path: '/audit/export',
  right: 'view',
  bucket: 'export',
  run: async (context) => {
    const { query } = context
    refuseUnknown(query, [...auditFilterNames, 'format', 'before'])
    const name = one(query, 'format') ?? 'csv'
    if (name !== 'csv' && name !== 'jsonl') throw new PermanentError('LIST_FILTER', 'Expected format to be csv or jsonl.')
    // What is wrong with the filter is said before the file begins.
    const first = await readPage(context, one(query, 'before'))
    const day = new Date().toISOString().slice(0, 10)
    const format = formats[name](separatorFor(context.request.headers))
    return new Response(streamOf(linesOf(context, format, first)), {
      headers: {
        'content-type': format.type,
        'content-disposition': `attachment; filename="jobs-audit-${day}.${name}"`,
        'cache-control': 'no-store',
      },
    })
  },
})

/** A page at a time, as the reader takes them. A file that could not be read to its end breaks off, and does not look whole. */
async function* linesOf(context: RouteContext, { head, line }: Format, first: Page): AsyncGenerator<string> {
  yield head
  let { entries } = first
  for (let done = entries.length; entries.length > 0; done += entries.length) {
    yield entries.map((entry) => line(viewAudit(entry))).join('')
    if (entries.length < pageSize || done >= most) return
    entries = await readNext(context, entries.at(-1)?.id, first.see)
  }
}

function streamOf(lines: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await lines.next()
      if (done) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
    async cancel() {
      await lines.return(undefined)
    },
  })
}

/** Too late for another status: the host is told. */
async function readNext(context: RouteContext, before: string | undefined, see: UserAccess['see']): Promise<readonly AuditEntry[]> {
  try {
    if (!(await context.may('view')))
      throw new QueueError('EXPORT_BROKEN_OFF', 'The right to view was taken away while the audit was exported.')
    const page = await readPage(context, before)
    if (page.see.join() !== see.join()) {
      const message = `Expected the ${see.length} collections that were seen when the file began, got ${page.see.length}: access was withdrawn or given meanwhile. Export again.`
      throw new QueueError('EXPORT_BROKEN_OFF', message)
    }
    return page.entries
  } catch (error) {
    context.report(error)
    throw error
  }
}

/** What was read, and in which collections it was looked for. */
interface Page {
  entries: readonly AuditEntry[]
  see: UserAccess['see']
}

function readPage(context: RouteContext, before: string | undefined): Promise<Page> {
  const page = { ...auditFilter(context.query), limit: pageSize, ...(before !== undefined && { before }) }
  return reading(context, async ({ trx, scope, access }) => ({ entries: await listAudit(trx, scope, page), see: access.see }))
}
