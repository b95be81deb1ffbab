import { describe, expect, test } from 'vitest'
import { fitConnections } from './fit-connections.ts'

describe('the connections of a worker', () => {
  test.each([
    [100, 3, 3, { wanted: 11, writers: 3 }],
    [100, 50, 50, { wanted: 65, writers: 10 }],
    [11, 50, 0, { wanted: 15, writers: 6 }],
    [6, 50, 0, { wanted: 15, writers: 1 }],
    [8, 3, 3, { wanted: 11, writers: 3 }],
  ])('of which the server allows %i, with %i slots and %i others', (allowed, slots, others, expected) => {
    expect(fitConnections(allowed, slots, others)).toEqual({ allowed, ...expected })
  })

  test('that are too few for anything are refused', () => {
    expect(() => fitConnections(5, 1, 0)).toThrow('allows this role 5 connections; a worker needs at least 6')
  })
})
