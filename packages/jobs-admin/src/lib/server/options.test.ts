import { isJobsError } from '@sidelinja/jobs-core'
import { describe, expect, test, vi } from 'vitest'
import { checkOptions, type JobsAdminOptions } from './options.ts'

const good = { database: {} as JobsAdminOptions['database'], identify: () => null, authorize: () => false }
const view = { type: 'a_job', read: async () => [] }

describe('without a place for errors', () => {
  const logged = (error: unknown) => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    try {
      checkOptions(good).onError(error, { correlationId: 'abc', event: {} as never })
      return log.mock.calls
    } finally {
      log.mockRestore()
    }
  }

  test('an outage is one line each time, without a stack', () => {
    const refused = Object.assign(new Error('connect ECONNREFUSED 10.0.0.1:5432'), { code: 'ECONNREFUSED' })
    expect(logged(refused)).toEqual([['jobs-admin abc:', 'DATABASE_AWAY: connect ECONNREFUSED 10.0.0.1:5432']])
    // A name with several addresses: its errors lie inside.
    const several = Object.assign(new AggregateError([refused, refused], ''), { code: 'ECONNREFUSED' })
    expect(logged(several)).toEqual([['jobs-admin abc:', 'DATABASE_AWAY: ECONNREFUSED']])
    const slow = Object.assign(new Error('canceling statement\n due to timeout'), { code: '57014' })
    expect(logged(slow)).toEqual([['jobs-admin abc:', 'QUERY_TOO_SLOW: canceling statement due to timeout']])
  })

  test('what is not known is told whole', () => {
    const error = new Error('never seen before')
    expect(logged(error)).toEqual([['jobs-admin abc:', error]])
    expect(logged(undefined)).toEqual([['jobs-admin abc:', undefined]])
  })
})

describe('checkOptions', () => {
  test('has defaults for everything but who may do what', () => {
    expect(checkOptions(good)).toMatchObject({
      mounts: { base: '/admin/jobs', intentions: '/intentions' },
      actionsPerMinute: { single: 30, bulk: 5 },
    })
  })

  test.each(['database', 'identify', 'authorize'])('without %s nothing is mounted', (name) => {
    expect(refusal({ ...good, [name]: undefined })).toBe(
      `ADMIN_OPTION_MISSING: jobsAdmin needs ${name}: the page is closed unless the host says who asks and what they may do.`,
    )
  })

  test('all that is missing is named at once', () => {
    expect(refusal({})).toContain('jobsAdmin needs database, identify, authorize')
    expect(refusal(undefined)).toContain('jobsAdmin needs database, identify, authorize')
  })

  test.each([
    [{ autorize: () => true }, 'autorize is not known'],
    [{ identify: 'kari' }, 'identify must be a function'],
    [{ authorize: true }, 'authorize must be a function'],
    [{ onError: 1 }, 'onError must be a function'],
    [{ results: [{ type: 'a_job' }] }, 'results must be a list of what defineResultView gives'],
    [{ results: [view, view] }, 'results must have one view a job type, got two of a_job'],
    [{ base: 'admin/jobs' }, 'base must be a path'],
    [{ base: '/admin/jobs/' }, 'base must be a path'],
    [{ base: '' }, 'base must be a path'],
    [{ intentions: '/:x' }, 'intentions must be a path'],
    [{ signIn: 'https://evil.example/' }, 'signIn must be a path of this host'],
    [{ signIn: '//evil.example' }, 'signIn must be a path of this host'],
    [{ signIn: '/\\evil.example' }, 'signIn must be a path of this host'],
    [{ signIn: '/a\r\nset-cookie: x' }, 'signIn must be a path of this host'],
    [{ signIn: '/admin/jobs/signin' }, 'signIn must not lie below'],
    [{ origin: 'https://admin.example.org/' }, 'origin must be an origin'],
    [{ origin: 'admin.example.org' }, 'origin must be an origin'],
    [{ origin: 'null' }, 'origin must be an origin'],
    [{ origin: 'ftp://admin.example.org' }, 'origin must be an origin'],
    [{ actionsPerMinute: { single: 0 } }, 'actionsPerMinute or streams must be whole numbers from 1, got 0'],
    [{ streams: { perUser: 1.5 } }, 'actionsPerMinute or streams must be whole numbers from 1, got 1.5'],
  ])('%o is refused', (option, message) => {
    expect(refusal({ ...good, ...option })).toContain(`ADMIN_OPTION_INVALID: ${message}`)
  })
})

function refusal(options: unknown): string {
  try {
    checkOptions(options as JobsAdminOptions)
  } catch (error) {
    if (isJobsError(error, 'configuration')) return `${error.code}: ${error.message}`
    throw error
  }
  return 'accepted'
}
