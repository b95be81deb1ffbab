import type { History, JobChange, ProcessEvent } from './history.ts'

const t0 = 1_000_000

/** A history in which all is well: one job that simply succeeds, one with a write whose first worker died, one retried by hand. */
export function exampleHistory(): History {
  return {
    changes: [
      ...[inserted('plain', 'chaos_plain', 10), claimed('plain', 20, 'w1'), ended('plain', 30, 'completed')],
      ...[inserted('write', 'chaos_write', 11), claimed('write', 21, 'w1'), ended('write', 1_600, 'retry', { worker: null, rescues: 1 })],
      ...[
        claimed('write', 1_700, 'w2', 2),
        ended('write', 1_720, 'completed', { run: 2, oldRun: 2, attempts: 2, oldAttempts: 2, oldWorker: 'w2' }),
      ],
      ...[inserted('refused', 'chaos_refuse', 12), claimed('refused', 22, 'w1'), ended('refused', 32, 'error')],
      ...[retried('refused', 40), claimed('refused', 50, 'w2', 2), ended('refused', 60, 'error', { run: 2, oldRun: 2, oldWorker: 'w2' })],
    ].map((change, index) => ({ ...change, position: index + 1 })),
    attempts: [
      { job: 'write', run: 1, reason: 'lease_expired' },
      { job: 'refused', run: 1, reason: 'failed' },
      { job: 'refused', run: 1, reason: 'retried_by_admin' },
      { job: 'refused', run: 2, reason: 'failed' },
    ],
    deaths: [{ worker: 'w1', leaseExpiresAt: t0 + 1_500, deadAt: t0 + 1_550 }],
    jobs: [
      { id: 'plain', type: 'chaos_plain', status: 'completed', run: 1, tag: 'load:1' },
      { id: 'write', type: 'chaos_write', status: 'completed', run: 2, tag: 'load:2' },
      { id: 'refused', type: 'chaos_refuse', status: 'error', run: 2, tag: 'load:3' },
      { id: 'follow', type: 'chaos_plain', status: 'cancelled', run: 0, tag: 'follow:write' },
    ],
    writes: [{ job: 'write', run: 2 }],
    events: [
      ...[event('acknowledged', 'plain', { tag: 'load:1' }), event('acknowledged', 'write', { tag: 'load:2' })],
      ...[event('rolled_back', undefined, { tag: 'load:4' }), event('registered', undefined, { worker: 'w1', at: t0 })],
      ...[event('start', 'plain', { run: 1 }), event('completed', 'plain', { run: 1 })],
      ...[event('start', 'write', { run: 1 }), event('start', 'write', { run: 2 }), event('completed', 'write', { run: 2 })],
      ...[event('start', 'refused', { run: 1 }), event('start', 'refused', { run: 2 }), event('late', 'write')],
      ...[event('answer', 'refused', { what: 'retry:asked' }), event('answer', 'refused', { what: 'retry:done' })],
    ],
    silences: [{ pid: 7, at: t0 + 600 }],
    outages: [],
    rescueIntervalMs: 150,
    slackMs: 1_000,
  }
}

type Draft = Omit<JobChange, 'position'>

function inserted(job: string, type: string, at: number): Draft {
  return {
    ...{ at: t0 + at, job, type, from: null, to: 'pending', oldRun: 0, run: 0, oldAttempts: 0, attempts: 0, maxAttempts: 3 },
    ...{ oldWorker: null, worker: null, oldScheduledFor: t0 + at, scheduledFor: t0 + at, startedAt: null },
    ...{ wasPrefetched: false, rescues: 0, priority: 0, replaced: false },
  }
}

function claimed(job: string, at: number, worker: string, run = 1): Draft {
  const attempts = job === 'write' ? run : 1
  return {
    ...inserted(job, '', 10),
    ...{ at: t0 + at, from: run === 1 || job === 'refused' ? 'pending' : 'retry', to: 'running', oldRun: run - 1, run },
    ...{ oldAttempts: attempts - 1, attempts, worker, startedAt: t0 + at },
  }
}

function ended(job: string, at: number, to: Draft['to'], more: Partial<Draft> = {}): Draft {
  const run = { oldRun: 1, run: 1, oldAttempts: 1, attempts: 1, oldWorker: 'w1', worker: more.oldWorker ?? 'w1' }
  return { ...inserted(job, '', 10), at: t0 + at, from: 'running', to, ...run, ...more }
}

function retried(job: string, at: number): Draft {
  return { ...ended(job, at, 'pending', { oldWorker: null, worker: null }), from: 'error', attempts: 0 }
}

function event(kind: ProcessEvent['kind'], job: string | undefined, more: Partial<ProcessEvent> = {}): ProcessEvent {
  return { at: t0, pid: 7, kind, ...(job === undefined ? {} : { job }), ...more }
}
