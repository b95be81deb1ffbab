import { describe, expect, test } from 'vitest'
import { allFaults } from './chaos/faults/all-faults.ts'
import { exampleHistory } from './chaos/history/example.ts'
import type { History, JobChange, ProcessEvent } from './chaos/history/history.ts'
import { checkInvariants } from './chaos/invariants/check.ts'
import { findRepeats } from './chaos/invariants/repeats.ts'
import { killPoints } from './chaos/process/kill-points.ts'
import { countHistory, type Figures } from './chaos/program/figures.ts'
import { parseOptions } from './chaos/program/options.ts'
import { fingerprint, openResults } from './chaos/program/results.ts'
import { formatTable, lastLine } from './chaos/program/table.ts'
import { createRandom } from './chaos/random.ts'
import { temporaryFolder } from './support/temporary-folder.ts'

// The program itself runs in .ci/run, in its short form. Here: that its judges can say no.

type Spoil = (history: History) => Partial<History>

/** The history with one row of a list changed. */
const changed =
  <Key extends 'changes' | 'attempts' | 'jobs' | 'events' | 'deaths'>(
    key: Key,
    fits: (row: History[Key][number]) => boolean,
    more: Partial<History[Key][number]>,
  ): Spoil =>
  (history) => {
    const rows = history[key] as History[Key][number][]
    expect(rows.some(fits)).toBe(true)
    return { [key]: rows.map((row) => (fits(row) ? { ...row, ...more } : row)) }
  }
const without =
  <Key extends 'attempts' | 'jobs' | 'events' | 'deaths' | 'writes'>(key: Key, fits: (row: History[Key][number]) => boolean): Spoil =>
  (history) => {
    const rows = history[key] as History[Key][number][]
    expect(rows.some(fits)).toBe(true)
    return { [key]: rows.filter((row) => !fits(row)) }
  }
const change = (job: string, to: string, run: number) => (row: JobChange) => row.job === job && row.to === to && row.run === run
const start = (job: string, run: number) => (row: ProcessEvent) => row.kind === 'start' && row.job === job && row.run === run

const spoiled: [string, string, Spoil][] = [
  ['I1', 'is not there', without('jobs', ({ id }) => id === 'plain')],
  ['I1', 'still running at the end', changed('jobs', ({ id }) => id === 'plain', { status: 'running' })],
  ['I1', 'still retry at the end', changed('jobs', ({ id }) => id === 'refused', { status: 'retry' })],
  ['I1', 'although its transaction was rolled back', changed('jobs', ({ id }) => id === 'plain', { tag: 'load:4' })],
  ['I1', 'but run 1 never began', without('events', start('plain', 1))],
  ['I1', 'its write is there of runs []', () => ({ writes: [] })],
  ['I1', 'its write is there of runs [1]', () => ({ writes: [{ job: 'write', run: 1 }] })],
  ['I1', 'its write is there of runs [2,2]', ({ writes }) => ({ writes: [...writes, ...writes] })],
  ['I1', 'its write is there of runs [2]', changed('jobs', ({ id }) => id === 'write', { status: 'error' })],
  ['I1', 'its follow-up', without('jobs', ({ id }) => id === 'follow')],
  ['I2', 'run went from 1 to 1', changed('changes', change('write', 'running', 2), { run: 1 })],
  ['I2', 'run went from 1 to 2', changed('changes', change('plain', 'completed', 1), { run: 2 })],
  ['I3', 'was completed 2 times', ({ changes }) => ({ changes: [...changes, ...changes.filter(change('plain', 'completed', 1))] })],
  ['I3', 'was completed from retry', changed('changes', change('plain', 'completed', 1), { from: 'retry' })],
  ['I3', 'says that run 1 completed it', changed('events', ({ kind, job }) => kind === 'completed' && job === 'write', { run: 1 })],
  ['I4', 'no row says why', without('attempts', ({ job }) => job === 'write')],
  ['I4', 'no row says why', ({ events }) => ({ events: [...events, ...events.filter(start('plain', 1))] })],
  ['I4', 'no row says why', changed('changes', change('write', 'retry', 1), { run: 9, oldRun: 9 })],
  ['I4', 'started unclaimed', changed('events', start('plain', 1), { run: 3 })],
  ['I4', 'before its lease was over', changed('deaths', () => true, { deadAt: 0 })],
  ['I4', 'had not been declared dead', () => ({ deaths: [] })],
  ['I4', 'which had been declared dead', changed('changes', change('write', 'running', 2), { worker: 'w1' })],
  ['I5', 'attempt 4 of 3', changed('changes', change('write', 'running', 2), { attempts: 4, oldAttempts: 3 })],
  ['I5', 'a claim left attempts at 0', changed('changes', change('plain', 'running', 1), { attempts: 0 })],
  ['I5', 'attempts went from 1 to 0', changed('changes', change('plain', 'completed', 1), { attempts: 0 })],
  ['I6', 'runs still', changed('jobs', ({ id }) => id === 'plain', { status: 'running' })],
  ['I6', 'was taken back 2000 ms after', changed('changes', change('write', 'retry', 1), { at: 1_003_500 })],
  ['I7', 'ended as retry with 0 rows', without('attempts', ({ job }) => job === 'write')],
  ['I7', 'ended as completed with 1 rows', ({ attempts }) => ({ attempts: [...attempts, { job: 'plain', run: 1, reason: 'failed' }] })],
  ['I7', 'a run that did not end', ({ attempts }) => ({ attempts: [...attempts, { job: 'plain', run: 5, reason: 'failed' }] })],
  ['I7', 'retried by hand 1 times and has 0 rows', without('attempts', ({ reason }) => reason === 'retried_by_admin')],
  ['I7', 'retry was answered done 1 times and done 0', changed('changes', change('refused', 'pending', 1), { from: 'pending' })],
  [
    'I7',
    'retry was answered done 0 times and done 1',
    changed('events', ({ what }) => what === 'retry:done', { what: 'retry:JOB_LOCKED' }),
  ],
  ['I7', 'cancel was answered cancelled 1 times', changed('events', ({ what }) => what === 'retry:done', { what: 'cancel:cancelled' })],
  ['I8', 'scheduled for', changed('changes', change('plain', 'running', 1), { startedAt: 0 })],
  ['I8', 'while a more urgent one waited', morePressing],
]

/** A job of priority 5 that waits from long before the last claim until long after it. */
function morePressing({ changes, jobs }: History): Partial<History> {
  const [first] = changes
  const [begin, end] = [(first as JobChange).at - 10_000, (first as JobChange).at + 10_000]
  const urgent = { ...(first as JobChange), job: 'urgent', priority: 5, at: begin, scheduledFor: begin }
  const taken = { ...urgent, from: 'pending' as const, to: 'cancelled' as const, at: end }
  return {
    changes: [urgent, ...changes, taken],
    jobs: [...jobs, { id: 'urgent', type: 'chaos_plain', status: 'cancelled', run: 0, tag: null }],
  }
}

describe('the invariants', () => {
  test('hold in a history in which all is well', () => {
    expect(checkInvariants(exampleHistory())).toEqual([])
  })

  test.each(spoiled)('%s is broken: %s', (invariant, text, spoil) => {
    const history = exampleHistory()
    const found = checkInvariants({ ...history, ...spoil(history) })
    expect(found).toContainEqual(expect.objectContaining({ invariant, text: expect.stringContaining(text) }))
  })

  test('each has a history that breaks it', () => {
    expect(new Set(spoiled.map(([invariant]) => invariant)).size).toBe(8)
  })

  test('an outage is no delay of the rescue, and an answer that never came may have been yes', () => {
    const history = exampleHistory()
    const late = changed('changes', change('write', 'retry', 1), { at: 1_003_500 })(history)
    const outage = { ...history, ...late, outages: [[1_001_500, 1_003_400] as const] }
    expect(checkInvariants(outage).filter(({ invariant }) => invariant === 'I6')).toEqual([])
    const silent = without('events', ({ what }) => what === 'retry:done')(history)
    expect(checkInvariants({ ...history, ...silent })).toEqual([])
  })
})

describe('the figures', () => {
  test('count repeats by what explains them, and the time from a kill to the rescue', () => {
    const history = exampleHistory()
    expect(findRepeats(history)).toEqual([
      { job: 'write', run: 2, why: 'lease_expired' },
      { job: 'refused', run: 2, why: 'failed' },
    ])
    expect(countHistory(history, [], [])).toEqual({
      ...{
        jobs: 4,
        lost: 0,
        unexplained: 0,
        repeated: { lease_expired: 1, failed: 1 },
        lateRefused: 1,
        recoveryP99Ms: 1_000,
        violations: [],
      },
    })
  })

  test('end in one line: two zeros, or what went wrong and how to see it again', () => {
    expect(lastLine([figures([])], 7)).toBe('lost 0, unexplained repeats 0')
    const wrong = [
      { invariant: 'I1', text: '' },
      { invariant: 'I4', text: '' },
      { invariant: 'I6', text: '' },
    ]
    expect(lastLine([figures([]), figures(wrong)], 7)).toBe('lost 1, unexplained repeats 1, other faults 1: seed 7, in a-fault')
  })

  test('stand in a table of Markdown', () => {
    expect(
      formatTable([figures([])])
        .split('\n')
        .at(-1),
    ).toBe('| A fault | 12   | 3      | 0    | 5: lease_expired 4, failed 1 | 2                   | 1.2 s            | 9 s  |')
  })
})

function figures(violations: Figures['violations']): Figures {
  const count = (invariant: string) => violations.filter((one) => one.invariant === invariant).length
  return {
    ...{ fault: 'a-fault', title: 'A fault', jobs: 12, faults: 3, lost: count('I1'), unexplained: count('I4'), lateRefused: 2 },
    ...{ repeated: { failed: 1, lease_expired: 4 }, recoveryP99Ms: 1_234, seconds: 9.1, violations },
  }
}

describe('the program', () => {
  test('has every fault and enough named steps, each name once', () => {
    const names = [...allFaults.map(({ name }) => name), ...killPoints.map(({ name }) => name)]
    expect(new Set(names).size).toBe(names.length)
    expect(allFaults.map(({ full }) => full.faults)).toEqual([200, 10, 6, 50, 200, 5, 1, 50, 5_000])
    expect(killPoints.length).toBeGreaterThanOrEqual(16)
  })

  test('takes its arguments, and refuses what it does not know', () => {
    const today = new Date('2026-11-30T12:00:00Z')
    expect(parseOptions([], today)).toMatchObject({ short: false, seed: 20261130, fresh: false })
    expect(parseOptions(['--short', '--seed', '7', '--only', 'pause,race', '--fresh'], today)).toEqual({
      ...{ short: true, seed: 7, only: ['pause', 'race'], fresh: true },
    })
    expect(() => parseOptions(['--seed', 'x'], today)).toThrow('--seed takes a whole number')
    expect(() => parseOptions(['--only', 'flood'], today)).toThrow('there is no flood. There is kill-random')
    expect(() => parseOptions(['--quick'], today)).toThrow('--quick')
  })

  test('repeats its chances by the seed', () => {
    const draw = (seed: number, name: string) => Array.from({ length: 5 }, createRandom(seed).fork(name).next)
    expect(draw(1, 'a')).toEqual(draw(1, 'a'))
    expect(draw(1, 'a')).not.toEqual(draw(2, 'a'))
    expect(draw(1, 'a')).not.toEqual(draw(1, 'b'))
    const { between } = createRandom(1)
    const drawn = Array.from({ length: 1_000 }, () => between(1, 3))
    expect([Math.min(...drawn), Math.max(...drawn), new Set(drawn).size]).toEqual([1, 3, 3])
  })

  test('goes on where it was ended, not with what failed nor with what other sources did', async () => {
    const folder = await temporaryFolder({ 'src/a.ts': '1' })
    const file = `${folder}/results/full.json`
    const sources = await fingerprint([`${folder}/src`])
    const first = await openResults(file, sources, false)
    await first.add(figures([]))
    await first.add({ ...figures([{ invariant: 'I1', text: '' }]), fault: 'failed' })
    const again = await openResults(file, sources, false)
    expect([again.done('a-fault'), again.done('failed'), again.done('other')]).toEqual([figures([]), undefined, undefined])
    expect((await openResults(file, 'others', false)).done('a-fault')).toBeUndefined()
    expect((await openResults(file, sources, true)).done('a-fault')).toBeUndefined()
    expect(await fingerprint([await temporaryFolder({ 'a.ts': '2' })])).not.toBe(sources)
  })
})
