import { prefersJson } from './http/prefers-json.ts'
import type { Route } from './route.ts'

/** Where the page and the actions lie. */
export interface Mounts {
  base: string
  intentions: string
}

/** What a request is for. `page`: SvelteKit answers, below our base · `elsewhere`: none of our business. */
export type Match =
  | { kind: 'endpoint'; route: Route; params: Record<string, string> }
  | { kind: 'wrong method'; allow: string[] }
  | { kind: 'page' }
  | { kind: 'elsewhere' }

interface Asked {
  method: string
  /** As it stands in the URL. */
  pathname: string
  accept: string | null
  /** SvelteKit's name of the route, which `reroute` may have led elsewhere than the path says. */
  routeId: string | null
}

/** Decides by method, path and Accept who answers. A path is compared as SvelteKit reads it: decoded, with or without a slash at its end. Pure. */
export function matchRoute(routes: readonly Route[], mounts: Mounts, asked: Asked): Match {
  const path = decodePath(asked.pathname)
  const fits = routes.flatMap((route) => {
    const params = path === undefined ? undefined : paramsOf(`${mounts[route.under]}${route.path}`, path)
    return params ? [{ kind: 'endpoint' as const, route, params }] : []
  })
  const exact = fits.filter(({ params }) => Object.keys(params).length === 0)
  return choose(exact.length > 0 ? exact : fits, asked) ?? outside(path, mounts.base, asked.routeId)
}

type Fit = Extract<Match, { kind: 'endpoint' }>

function choose(fits: readonly Fit[], { method, accept }: Asked): Match | undefined {
  if (fits.length === 0) return undefined
  const wanted = method === 'HEAD' ? 'GET' : method
  const fit = fits.find(({ route }) => route.method === wanted)
  const hasPage = fits.some(({ route }) => route.hasPage)
  if (fit) return !hasPage || fit.route.method === 'POST' || prefersJson(accept) ? fit : undefined
  // A form action is posted to the page's own path.
  if (hasPage) return undefined
  return { kind: 'wrong method', allow: fits.flatMap(({ route }) => (route.method === 'GET' ? ['GET', 'HEAD'] : [route.method])) }
}

function outside(path: string | undefined, base: string, routeId: string | null): Match {
  const isOurs = isBelow(path, base) || isBelow(withoutGroups(routeId), base)
  return { kind: isOurs ? 'page' : 'elsewhere' }
}

function isBelow(path: string | undefined, base: string): boolean {
  return path !== undefined && (path === base || path.startsWith(`${base}/`))
}

/** `/(app)/admin/jobs/[id]` is served at /admin/jobs/… */
function withoutGroups(routeId: string | null): string | undefined {
  return routeId?.replace(/\/\([^/]*\)/g, '')
}

/** Undefined for a path that cannot be decoded; SvelteKit has no page for it. */
function decodePath(pathname: string): string | undefined {
  try {
    const path = pathname.split('%25').map(decodeURI).join('%25')
    return path.length > 1 ? path.replace(/\/$/, '') : path
  } catch {
    return undefined
  }
}

function paramsOf(pattern: string, path: string): Record<string, string> | undefined {
  const parts = path.split('/')
  const expected = pattern.split('/')
  if (parts.length !== expected.length) return undefined
  const params: Record<string, string> = {}
  for (const [index, name] of expected.entries()) {
    const part = parts[index] ?? ''
    if (!name.startsWith(':')) {
      if (name !== part) return undefined
    } else {
      const value = decodePart(part)
      if (value === undefined || value === '') return undefined
      params[name.slice(1)] = value
    }
  }
  return params
}

/** What decodeURI leaves encoded: / ? # and the like. */
function decodePart(part: string): string | undefined {
  try {
    return decodeURIComponent(part)
  } catch {
    return undefined
  }
}
