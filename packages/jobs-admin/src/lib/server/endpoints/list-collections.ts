import { revalidatedJson } from '../http/json-response.ts'
import { defineRoute } from '../route.ts'
import { reading } from '../user-session.ts'

/** More are not offered in a list; the filter takes any. */
const most = 500

/** `GET {base}/collections`: whose jobs the user sees, by title. An open page asks whether they are still the same. */
export const listCollections = defineRoute({
  method: 'GET',
  under: 'base',
  path: '/collections',
  right: 'view',
  run: async (context) => {
    const access = await reading(context, async (session) => session.access)
    const collections = access.see
      .map((id) => ({ id, title: access.titles.get(id) ?? null, may_act: access.act.includes(id) }))
      .toSorted((a, b) => (a.title ?? '').localeCompare(b.title ?? '', 'nb'))
    return revalidatedJson(context.request, { collections: collections.slice(0, most), total: collections.length })
  },
})
