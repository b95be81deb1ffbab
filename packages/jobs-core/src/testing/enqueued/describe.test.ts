import { describe, expect, test } from 'vitest'
import type { Job } from '../../admin/get-job.ts'
import { describeFound, describeMissing, twoSides } from './describe.ts'

const job = (job_type: string, payload: object, more: Partial<Job> = {}) =>
  ({ job_type, payload, status: 'pending', priority: 0, max_attempts: 3, ...more }) as Job

const mails = [
  job('send_mail', { to: 'bob@example.com', lines: [1, 2] }, { priority: 5 }),
  job('send_mail', { to: 'ada@example.org' }, { status: 'completed' }),
]
const others = [job('build_feed', {}), job('build_feed', {}), job('tidy', {})]

describe('describeMissing', () => {
  test('names the conditions, in what the nearest differs, and what there is', () => {
    const wanted = { type: 'send_mail', expected: { payload: { to: 'bob@example.com', lines: [1, 3] }, priority: 10 } }
    expect(describeMissing([...mails, ...others], wanted)).toBe(
      [
        "Expected at least one send_mail with payload { to: 'bob@example.com', lines: [ 1, 3 ] }, priority 10, got 0.",
        'The nearest differs in',
        '  payload.lines[1]: expected 3, got 2',
        '  priority: expected 10, got 5',
        'Enqueued as send_mail:',
        "  pending, priority 5, { to: 'bob@example.com', lines: [ 1, 2 ] }",
        "  completed, priority 0, { to: 'ada@example.org' }",
        'And others: build_feed ×2, tidy ×1',
      ].join('\n'),
    )
  })

  test('tells a wrong number from a wrong job', () => {
    expect(describeMissing(mails, { type: 'send_mail', count: 1, expected: {} })).toBe(
      [
        'Expected 1 send_mail, got 2.',
        'Enqueued as send_mail:',
        "  pending, priority 5, { to: 'bob@example.com', lines: [ 1, 2 ] }",
        "  completed, priority 0, { to: 'ada@example.org' }",
      ].join('\n'),
    )
  })

  test('says when there is nothing, or only something else', () => {
    expect(describeMissing([], { type: 'tidy', expected: {} })).toBe('Expected at least one tidy, got 0.\nNothing was enqueued.')
    expect(describeMissing(others, { type: 'send_mail', expected: {} })).toBe(
      'Expected at least one send_mail, got 0.\nEnqueued instead: build_feed ×2, tidy ×1',
    )
  })

  test('stays readable with many jobs and large payloads', () => {
    const many = Array.from({ length: 50 }, () => job('tidy', { text: 'x'.repeat(10_000), list: Array(500).fill('word') }))
    const message = describeMissing(many, { type: 'tidy', expected: { priority: 1 } })
    expect(message).toContain('… and 40 more')
    expect(message.length).toBeLessThan(8_000)
  })
})

test('describeFound lists what should not be', () => {
  expect(describeFound([mails[0] as Job], { type: 'send_mail', expected: { status: 'pending' } })).toBe(
    "Expected no send_mail with status 'pending', got 1:\n  pending, priority 5, { to: 'bob@example.com', lines: [ 1, 2 ] }",
  )
})

describe('twoSides, for frameworks that draw a diff', () => {
  test.each([
    [
      'the nearest job, where it differs',
      mails,
      { expected: { payload: { to: 'bob@example.com' }, priority: 7 } },
      { priority: 5 },
      { priority: 7 },
    ],
    ['numbers', mails, { count: 3, expected: {} }, 2, 3],
    ['types', others, { expected: {} }, ['build_feed', 'tidy'], ['send_mail']],
  ])('%s', (_what, jobs, wanted, actual, expected) => {
    expect(twoSides(jobs, { type: 'send_mail', ...wanted })).toEqual({ actual, expected })
  })
})
