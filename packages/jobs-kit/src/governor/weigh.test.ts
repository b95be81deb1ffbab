import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { RoomsFailure, RoomsObservation } from '../rooms/room-status.ts'
import { emptyHistory, type GovernorBounds, remember, weigh } from './weigh.ts'

const bounds: GovernorBounds = { gentleByFailureMs: 900_000, refusals: 3, refusedForMs: 30_000, forgetAfterMs: 7_200_000 }

/** Looks by their second, and the mode after each. */
const table: [string, [number, 'idle' | 'used' | RoomsFailure, 'full' | 'gentle'][]][] = [
  [
    'a room in use, for ever',
    [
      [0, 'used', 'gentle'],
      [3_600, 'used', 'gentle'],
      [86_400, 'used', 'gentle'],
      [86_405, 'idle', 'full'],
    ],
  ],
  [
    'silent: gentle for 15 min',
    [
      [0, 'silent', 'gentle'],
      [899, 'silent', 'gentle'],
      [900, 'silent', 'full'],
      [5_000, 'silent', 'full'],
    ],
  ],
  [
    '401: gentle for 15 min',
    [
      [0, 'misconfigured', 'gentle'],
      [899, 'misconfigured', 'gentle'],
      [901, 'misconfigured', 'full'],
    ],
  ],
  [
    'refused three times over 30 s: idle',
    [
      [0, 'refused', 'gentle'],
      [15, 'refused', 'gentle'],
      [30, 'refused', 'full'],
      [35, 'refused', 'full'],
    ],
  ],
  [
    'refused often, but not yet for 30 s',
    [
      [0, 'refused', 'gentle'],
      [5, 'refused', 'gentle'],
      [10, 'refused', 'gentle'],
      [29, 'refused', 'gentle'],
    ],
  ],
  [
    'refused for 30 s, but twice only',
    [
      [0, 'refused', 'gentle'],
      [40, 'refused', 'gentle'],
      [41, 'refused', 'full'],
    ],
  ],
  [
    'refused, rarely asked: 15 min all the same',
    [
      [0, 'refused', 'gentle'],
      [1_000, 'refused', 'full'],
    ],
  ],
  [
    'refusals in a row only',
    [
      [0, 'refused', 'gentle'],
      [15, 'refused', 'gentle'],
      [20, 'silent', 'gentle'],
      [40, 'refused', 'gentle'],
      [45, 'refused', 'gentle'],
      [70, 'refused', 'full'],
    ],
  ],
  [
    'failures of several kinds count together',
    [
      [0, 'silent', 'gentle'],
      [500, 'misconfigured', 'gentle'],
      [900, 'silent', 'full'],
    ],
  ],
  [
    'an answer begins the time anew',
    [
      [0, 'silent', 'gentle'],
      [800, 'idle', 'full'],
      [801, 'silent', 'gentle'],
      [1_600, 'silent', 'gentle'],
      [1_701, 'silent', 'full'],
    ],
  ],
  [
    'a failure long ago says nothing',
    [
      [0, 'silent', 'gentle'],
      [7_201, 'silent', 'gentle'],
      [8_101, 'silent', 'full'],
    ],
  ],
  [
    'a failure before a long piece counts',
    [
      [0, 'silent', 'gentle'],
      [7_200, 'silent', 'full'],
    ],
  ],
  [
    'after it was refused: a server that starts',
    [
      [0, 'refused', 'gentle'],
      [15, 'refused', 'gentle'],
      [30, 'refused', 'full'],
      [40, 'used', 'gentle'],
    ],
  ],
]

describe('the mode after each look', () => {
  test.each(table)('%s', (_name, looks) => {
    let history = emptyHistory
    const modes = looks.map(([second, kind]) => {
      history = remember(history, look(second, kind), bounds)
      return weigh(history, bounds).mode
    })
    expect(modes).toEqual(looks.map(([, , mode]) => mode))
  })
})

describe('what is said', () => {
  const verdict = (...looks: RoomsObservation[]) => {
    const history = looks.reduce((before, each) => remember(before, each, bounds), emptyHistory)
    return weigh(history, bounds)
  }

  test('only an answer says that a room is open', () => {
    expect(verdict(look(0, 'used'))).toEqual({ mode: 'gentle', roomIsOpen: true, reason: '1 room in use', warning: undefined })
    expect(verdict(look(0, 'silent'))).toMatchObject({ mode: 'gentle', roomIsOpen: false })
  })

  test('a failure is a warning with its cause, and so is its end', () => {
    expect(verdict(look(0, 'misconfigured'))).toMatchObject({
      reason: 'LiveKit refuses the worker’s key or address, so a room may be in use',
      warning: expect.stringMatching(/: livekit said misconfigured$/),
    })
    expect(verdict(look(0, 'silent'), look(1_200, 'silent'))).toMatchObject({
      mode: 'full',
      warning: expect.stringMatching(/not been of use for 20 min.*: livekit said silent$/),
    })
  })

  test('rooms in which nobody is, and no rooms', () => {
    expect(verdict(look(0, 'idle')).reason).toBe('no room is open')
    expect(verdict({ outcome: 'answered', status: { active: false, activeRooms: 0, rooms: 2 }, atMs: 0 }).reason).toBe(
      '2 rooms open, nobody in it',
    )
  })
})

test('the same look counts once, and an older one not at all', () => {
  const first = look(0, 'refused')
  const second = look(20, 'refused')
  const history = [first, first, second, first, second, second].reduce((before, each) => remember(before, each, bounds), emptyHistory)
  expect(history.refusals).toBe(2)
})

test('whatever happens, a guess never lasts longer than its bound', () => {
  const step = fc.record({
    afterS: fc.integer({ min: 1, max: 3_000 }),
    kind: fc.constantFrom<('idle' | RoomsFailure)[]>('idle', 'refused', 'silent', 'misconfigured'),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      let history = emptyHistory
      let atS = 0
      let gentleSinceS: number | undefined
      for (const { afterS, kind } of steps) {
        atS += afterS
        history = remember(history, look(atS, kind), bounds)
        if (weigh(history, bounds).mode === 'full') gentleSinceS = undefined
        else gentleSinceS ??= atS
        if (gentleSinceS !== undefined && atS - gentleSinceS >= 900) return false
      }
      return true
    }),
  )
})

function look(second: number, kind: 'idle' | 'used' | RoomsFailure): RoomsObservation {
  const atMs = second * 1_000
  if (kind === 'idle') return { outcome: 'answered', status: { active: false, activeRooms: 0, rooms: 0 }, atMs }
  if (kind === 'used') return { outcome: 'answered', status: { active: true, activeRooms: 1, rooms: 2 }, atMs }
  return { outcome: 'failed', failure: kind, message: `livekit said ${kind}`, atMs }
}
