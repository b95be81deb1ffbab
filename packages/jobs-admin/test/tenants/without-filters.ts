import pg from 'pg'

/** Says of whoever asks that all collections are theirs, to see and to act in: every filter of the statements lets everything through. */
const everything = 'select id as node, true as act, title from nodes order by id'

/** Connections on which only row-level security keeps tenants apart. */
export const withoutFilters = {
  Client: class extends pg.Client {
    // biome-ignore lint/suspicious/noExplicitAny: pg's own overloads
    override query(...given: any[]): any {
      const [query, ...rest] = given
      const text = typeof query === 'string' ? query : query?.text
      const asksForAccess = typeof text === 'string' && text.includes('from job_user_access()')
      return Reflect.apply(super.query, this, [asksForAccess ? everything : query, ...rest])
    }
  },
}
