import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { injections } from '../../testing/injections.ts'
import { numberCandidates } from './number-candidates.ts'

const topics = [
  { id: '0190f3c1-7a2b-7c4d-8e5f-000000000001', title: 'Støy', note: null },
  { id: '0190f3c1-7a2b-7c4d-8e5f-000000000002', title: 'Vær', note: 'og vind' },
]
const numbered = numberCandidates(topics, ({ title, note }) => (note === null ? { name: title } : { name: title, note }))

describe('numberCandidates', () => {
  test('a model sees numbers and what it is shown', () => {
    expect(JSON.stringify(numbered.list)).toBe('[{"ref":"T1","name":"Støy"},{"ref":"T2","name":"Vær","note":"og vind"}]')
    expect(numberCandidates([], () => ({})).list).toEqual([])
    expect(numberCandidates(['Kari'], (name) => ({ name }), 'P').list).toEqual([{ ref: 'P1', name: 'Kari' }])
  })

  test('what is shown cannot be another number', () => {
    expect(numberCandidates(['a'], () => ({ ref: 'T7', name: 'a' })).list).toEqual([{ ref: 'T1', name: 'a' }])
  })

  test('a number leads back', () => {
    expect([numbered.resolve('T1'), numbered.resolve(' T2\n')]).toEqual(topics)
  })

  test.each([
    'T0',
    'T3',
    'T01',
    'T1.0',
    't1',
    '1',
    1,
    'T',
    '',
    'P1',
    null,
    undefined,
    ['T1'],
    {},
    'constructor',
    '__proto__',
    topics[0]?.id,
  ])('%j does not', (ref) => expect(numbered.resolve(ref)).toBeUndefined())

  test('nor does anything else', () => {
    for (const { text } of injections) expect(numbered.resolve(text)).toBeUndefined()
    fc.assert(
      fc.property(fc.anything(), (ref) => {
        fc.pre(typeof ref !== 'string' || !/^T[12]$/.test(ref.trim()))
        expect(numbered.resolve(ref)).toBeUndefined()
      }),
    )
  })
})
