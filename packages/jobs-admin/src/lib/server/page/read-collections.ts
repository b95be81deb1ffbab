import { asUser } from '@sidelinja/jobs-core/admin'
import type { Collection } from '../../page/wire/page-data.ts'
import type { AdminDatabase } from '../admin-database.ts'

/** More are not offered in a list; the filter takes any. */
const most = 500

/** The collections a user sees, by title. */
export async function readCollections({ db }: AdminDatabase, userId: string): Promise<Collection[]> {
  return asUser(db, userId, async ({ access }) =>
    access.see
      .map((id) => ({ id, title: access.titles.get(id) ?? null, may_act: access.act.includes(id) }))
      .toSorted((a, b) => (a.title ?? '').localeCompare(b.title ?? '', 'nb'))
      .slice(0, most),
  )
}
