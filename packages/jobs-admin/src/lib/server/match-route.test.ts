import { describe, expect, test } from 'vitest'
import { type Mounts, matchRoute } from './match-route.ts'
import { defineRoute, type Route } from './route.ts'

const run = () => new Response()
const list = defineRoute({ method: 'GET', under: 'base', path: '', right: 'view', hasPage: true, run })
const events = defineRoute({ method: 'GET', under: 'base', path: '/events', right: 'view', run })
const detail = defineRoute({ method: 'GET', under: 'base', path: '/:id', right: 'view', hasPage: true, run })
const raw = defineRoute({ method: 'GET', under: 'base', path: '/:id/raw', right: 'view_raw', run })
const retry = defineRoute({ method: 'POST', under: 'intentions', path: '/retry_job', right: 'act', bucket: 'single', run })
const routes: Route[] = [list, detail, events, raw, retry]
const mounts: Mounts = { base: '/admin/jobs', intentions: '/intentions' }
const json = 'application/json'
const browser = 'text/html,application/xhtml+xml,*/*;q=0.8'

describe('matchRoute', () => {
  test.each([
    ['GET', '/admin/jobs', json, list, {}],
    ['GET', '/admin/jobs/', json, list, {}],
    ['HEAD', '/admin/jobs', json, list, {}],
    ['GET', '/admin/%6Aobs', json, list, {}],
    ['GET', '/admin/jobs/events', 'text/event-stream', events, {}],
    ['GET', '/admin/jobs/events', '*/*', events, {}],
    ['GET', '/admin/jobs/events', browser, events, {}],
    ['GET', '/admin/jobs/17', json, detail, { id: '17' }],
    ['GET', '/admin/jobs/a%2Fb', json, detail, { id: 'a/b' }],
    ['GET', '/admin/jobs/17/raw', '*/*', raw, { id: '17' }],
    ['POST', '/intentions/retry_job', '*/*', retry, {}],
    ['POST', '/intentions/retry_job', browser, retry, {}],
  ])('%s %s, Accept: %s is an endpoint’s', (method, pathname, accept, route, params) => {
    expect(match(method, pathname, accept)).toEqual({ kind: 'endpoint', route, params })
  })

  test.each([
    ['GET', '/admin/jobs', browser],
    ['GET', '/admin/jobs', '*/*'],
    ['GET', '/admin/jobs', null],
    ['POST', '/admin/jobs', browser],
    ['GET', '/admin/jobs/17', browser],
    ['GET', '/admin/%6Aobs', browser],
    ['GET', '/%61dmin/jobs/', browser],
    ['GET', '/admin/jobs/17/whatever', json],
    ['POST', '/admin/jobs', json],
    ['DELETE', '/admin/jobs', json],
  ])('%s %s, Accept: %s is a page', (method, pathname, accept) => {
    expect(match(method, pathname, accept)).toEqual({ kind: 'page' })
  })

  test.each(['/', '/admin', '/admin/jobsx', '/admin//jobs', '//admin/jobs', '/intentions', '/intentions/other', '/%', '/Admin/Jobs'])(
    '%s is none of our business',
    (pathname) => {
      expect(match('GET', pathname, json)).toEqual({ kind: 'elsewhere' })
    },
  )

  test.each(['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('%s of an action is not allowed', (method) => {
    for (const accept of [json, browser, null]) {
      expect(match(method, '/intentions/retry_job', accept)).toEqual({ kind: 'wrong method', allow: ['POST'] })
    }
  })

  test('data is only read', () => {
    expect(match('DELETE', '/admin/jobs/events', json)).toEqual({ kind: 'wrong method', allow: ['GET', 'HEAD'] })
  })

  test.each(['/admin/jobs', '/(app)/admin/jobs/[id]', '/admin/(inner)/jobs'])(
    'a path that was led to the route %s is a page',
    (routeId) => {
      expect(matchRoute(routes, mounts, { method: 'GET', pathname: '/jobber', accept: browser, routeId })).toEqual({ kind: 'page' })
    },
  )
})

function match(method: string, pathname: string, accept: string | null) {
  return matchRoute(routes, mounts, { method, pathname, accept, routeId: null })
}
