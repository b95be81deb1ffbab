import { expect, vi } from 'vitest'
import { z } from 'zod'
import type { AdminEvent } from '../../src/lib/server/admin-event.ts'
import { createAdmin } from '../../src/lib/server/create-admin.ts'
import { jsonResponse, revalidatedJson } from '../../src/lib/server/http/json-response.ts'
import type { JobsAdminOptions } from '../../src/lib/server/options.ts'
import { defineRoute, type Route } from '../../src/lib/server/route.ts'
import type { EventStream } from '../../src/lib/server/stream/event-stream.ts'

export const origin = 'https://admin.example.org'
export const jobId = '00000000-0000-4000-8000-00000000dead'
/** What a page of ours sends. */
export const ours = { 'sec-fetch-site': 'same-origin', origin, 'content-type': 'application/json' }
export const form = { ...ours, 'content-type': 'application/x-www-form-urlencoded' }
export const json = { accept: 'application/json' }

/** A mounted admin page with four endpoints of its own, without SvelteKit around it. */
export function mount(changed: Partial<JobsAdminOptions> = {}) {
  const ran: string[] = []
  const streams: EventStream[] = []
  const throwing: { error?: Error } = {}
  const users = { now: 'kari' }
  const options = {
    database: 'the database' as never,
    identify: vi.fn(changed.identify ?? (() => ({ userId: users.now }))),
    authorize: vi.fn(changed.authorize ?? (() => true)),
    onError: vi.fn(changed.onError ?? (() => {})),
  }
  const resolve = vi.fn(async () => new Response('<!doctype html>', { headers: { 'content-type': 'text/html' } }))
  const admin = createAdmin({ ...changed, ...options }, testRoutes(ran, streams, throwing))
  const ask = async (path: string, init: RequestInit = {}, more: Partial<AdminEvent> = {}, host = origin) => {
    const url = new URL(path, host)
    return admin.handle({ event: { request: new Request(url, init), url, locals: {}, route: { id: null }, ...more }, resolve })
  }
  return { admin, ask, options, ran, resolve, streams, throwing, users }
}

type Ask = ReturnType<typeof mount>['ask']

function testRoutes(ran: string[], streams: EventStream[], throwing: { error?: Error }): Route[] {
  return [
    defineRoute({
      method: 'GET',
      under: 'base',
      path: '',
      right: 'view',
      hasPage: true,
      run: ({ request }) => {
        if (throwing.error) throw throwing.error
        return revalidatedJson(request, { jobs: [] })
      },
    }),
    defineRoute({
      method: 'GET',
      under: 'base',
      path: '/events',
      right: 'view',
      run: ({ openStream }) =>
        openStream((stream) => {
          streams.push(stream)
          return undefined
        }),
    }),
    defineRoute({
      method: 'GET',
      under: 'base',
      path: '/:id/raw',
      right: 'view_raw',
      run: async ({ params, query, userId, database, may }) =>
        jsonResponse({ id: params.id, x: query.get('x'), userId, database, may: await may('act') }),
    }),
    defineRoute({
      method: 'POST',
      under: 'intentions',
      path: '/retry_job',
      right: 'act',
      bucket: 'single',
      body: z.strictObject({ job_id: z.guid() }),
      run: ({ body }) => {
        ran.push('retry')
        return jsonResponse({ job_id: body.job_id })
      },
    }),
  ]
}

export function retry(ask: Ask, body: object = { job_id: jobId }): Promise<Response> {
  return ask('/intentions/retry_job', { method: 'POST', headers: ours, body: JSON.stringify(body) })
}

export async function problemOf(answer: Promise<Response>) {
  const response = await answer
  expect(response.headers.get('content-type')).toBe('application/problem+json')
  return (await response.json()) as { status: number; code: string; detail: string; correlation_id?: string }
}

export function fail(): never {
  throw new Error('in trouble')
}
