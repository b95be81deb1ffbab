import { listAudit as list } from '@sidelinja/jobs-core/admin'
import { auditFilter, auditFilterNames } from '../audit-query.ts'
import { revalidatedJson } from '../http/json-response.ts'
import { one, present, refuseUnknown, whole } from '../read-query.ts'
import { defineRoute } from '../route.ts'
import { reading } from '../user-session.ts'
import { viewAudit } from '../views/audit-view.ts'

const defaultLimit = 50

/** `GET {base}/audit?job_id=&actor=&action=&bulk_id=&limit=&before=`: what people did to the jobs of the user's collections, applied or refused. */
export const listAudit = defineRoute({
  method: 'GET',
  under: 'base',
  path: '/audit',
  right: 'view',
  hasPage: true,
  run: async (context) => {
    const { query } = context
    refuseUnknown(query, [...auditFilterNames, 'limit', 'before'])
    const limit = whole(query, 'limit') ?? defaultLimit
    const filter = { ...auditFilter(query), ...present('before', one(query, 'before')) }
    const entries = await reading(context, ({ trx, scope }) => list(trx, scope, { ...filter, limit }))
    return revalidatedJson(context.request, {
      entries: entries.map(viewAudit),
      next_before: entries.length === limit ? (entries.at(-1)?.id ?? null) : null,
    })
  },
})
