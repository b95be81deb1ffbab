import type { ScreenName, SourceName } from '../../page/wire/page-data.ts'

/** A screen, and which endpoints it shows. */
export interface Screen {
  name: ScreenName
  /** Below `base`: the path of each endpoint, by the name under which the page knows its answer. */
  sources: readonly { name: SourceName; path: string; takesQuery?: boolean }[]
  /** Without this answer there is nothing to show. */
  main?: SourceName
}

const counts = { name: 'counts', path: '/counts' } as const
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const collections = { name: 'collections', path: '/collections' } as const
const missing: Screen = { name: 'missing', sources: [counts] }

const plain: Readonly<Record<string, Screen>> = {
  '': {
    name: 'jobs',
    main: 'jobs',
    sources: [{ name: 'jobs', path: '', takesQuery: true }, counts, { name: 'workers', path: '/workers' }],
  },
  overview: {
    name: 'overview',
    main: 'counts',
    sources: [
      counts,
      { name: 'workers', path: '/workers' },
      { name: 'pauses', path: '/pauses' },
      { name: 'activity', path: '/activity', takesQuery: true },
    ],
  },
  errors: { name: 'errors', main: 'errors', sources: [{ name: 'errors', path: '/errors' }, counts] },
  schedules: { name: 'schedules', main: 'schedules', sources: [{ name: 'schedules', path: '/schedules', takesQuery: true }, counts] },
  workers: { name: 'workers', main: 'workers', sources: [{ name: 'workers', path: '/workers' }, counts] },
  audit: { name: 'audit', main: 'audit', sources: [{ name: 'audit', path: '/audit', takesQuery: true }, counts] },
  pauses: { name: 'pauses', main: 'pauses', sources: [{ name: 'pauses', path: '/pauses' }, counts] },
}

/** Which screen a path below `base` is; `path` has no slash at its ends. Pure. */
export function matchScreen(path: string): Screen {
  const screen = screenOf(path)
  return { ...screen, sources: [...screen.sources, collections] }
}

function screenOf(path: string): Screen {
  if (Object.hasOwn(plain, path)) return plain[path] ?? missing
  const [first = '', second, ...more] = path.split('/')
  if (more.length > 0) return missing
  if (first === 'bulk' && second !== undefined && uuid.test(second)) {
    return { name: 'bulk', main: 'bulk', sources: [{ name: 'bulk', path: `/bulk/${second}` }, counts] }
  }
  if (!uuid.test(first) || (second !== undefined && second !== 'raw')) return missing
  const about = [{ name: 'job', path: `/${first}` } as const, { name: 'explain', path: `/${first}/explain` } as const, counts]
  const result = { name: 'result', path: `/${first}/result` } as const
  return {
    name: 'job',
    main: 'job',
    sources: [...(second === 'raw' ? [{ name: 'raw', path: `/${first}/raw` } as const] : []), ...about, result],
  }
}
