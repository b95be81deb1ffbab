import { expect, test } from 'vitest'
import { testCase } from './assertions.ts'
import { checkOutput } from './check-output.ts'

const facts = { latencyMs: 900, costUsd: 0.002 }
const schema = {
  type: 'object',
  properties: { navn: { type: 'string', minLength: 2 }, alder: { type: ['integer', 'null'] } },
  required: ['navn'],
  additionalProperties: false,
}
const check = (output: string, given: object, more: object = {}, matched: [string, boolean | undefined][] = []) => {
  const [assertion] = testCase.parse({ assert: [given] }).assert
  if (assertion === undefined || assertion.type === 'assert-set') throw new Error('one assertion')
  return checkOutput(assertion, { output, value: assertion.value, facts: { ...facts, ...more }, matched: new Map(matched) })
}

test.each<[string, object, boolean]>([
  [' Ja.\n', { type: 'equals', value: 'Ja.' }, true],
  ['Ja, da', { type: 'equals', value: 'Ja' }, false],
  ['Bla\u030abær', { type: 'contains', value: 'Blåbær' }, true],
  ['blåbær', { type: 'contains', value: 'BLÅBÆR' }, false],
  ['blåbær', { type: 'icontains', value: 'BLÅBÆR' }, true],
  ['a og b', { type: 'contains-any', value: ['c', 'b'] }, true],
  ['a og b', { type: 'contains-all', value: ['a', 'c'] }, false],
  ['A og B', { type: 'icontains-all', value: ['a', 'b'] }, true],
  ['A og B', { type: 'icontains-any', value: ['x'] }, false],
  ['Vedtak: ja', { type: 'starts-with', value: 'Vedtak' }, true],
  ['{"navn":"Kari"}', { type: 'is-json' }, true],
  ['{"navn":"Kari","alder":7}', { type: 'is-json', value: schema }, true],
  ['{"navn":"K"}', { type: 'is-json', value: schema }, false],
  ['{"navn":"Kari","alder":7.5}', { type: 'is-json', value: schema }, false],
  ['{"navn":"Kari","ekstra":1}', { type: 'is-json', value: schema }, false],
  ['{"__proto__":{"navn":"Kari"}}', { type: 'is-json', value: schema }, false],
  ['Her: {"navn":"Kari"} Takk', { type: 'is-json' }, false],
  ['Her { er }: {"navn":"Ka}ri"} Takk', { type: 'contains-json', value: schema }, true],
  ['Her: {"navn":', { type: 'contains-json' }, false],
  ['Beklager, det kan jeg ikke hjelpe med.', { type: 'is-refusal' }, true],
  ['Orsak, det kan eg ikkje svare på.', { type: 'is-refusal' }, true],
  ["I'm sorry, but I can't do that.", { type: 'is-refusal' }, true],
  ['Kommunen kan ikke bygge før sommeren.', { type: 'is-refusal' }, false],
  ['Beklager-kampanjen starter i mai. Alle kan delta.', { type: 'is-refusal' }, false],
  ['referat', { type: 'levenshtein', value: 'referatet' }, true],
  ['referat', { type: 'levenshtein', value: 'referatet', threshold: 1 }, false],
  ['', { type: 'latency', threshold: 1_000 }, true],
  ['', { type: 'latency', threshold: 899 }, false],
  ['', { type: 'cost', threshold: 0.002 }, true],
  ['', { type: 'cost', threshold: 0.001 }, false],
])('%j %j: %s, and not- the contrary', (output, given, pass) => {
  expect(check(output, given)).toEqual({ pass, score: Number(pass) })
  const type = `not-${(given as { type: string }).type}`
  expect(check(output, { ...given, type })).toEqual({ pass: !pass, score: Number(!pass) })
})

test('measures pass from their threshold, and tell how far they came', () => {
  const given = { type: 'rouge-n', value: 'banen er ferdig' }
  expect(check('banen står ferdig', given)).toEqual({ pass: false, score: expect.closeTo(2 / 3) })
  expect(check('banen står ferdig', { ...given, threshold: 0.6 })).toMatchObject({ pass: true })
})

test('a pattern passes as it was found', () => {
  expect(check('', { type: 'regex', value: 'a' }, {}, [['a', true]])).toEqual({ pass: true, score: 1 })
  expect(check('', { type: 'not-regex', value: 'a' }, {}, [['a', true]])).toEqual({ pass: false, score: 0 })
})

test('what cannot be told in time, or is not told, passes in neither way', () => {
  for (const type of ['regex', 'not-regex']) {
    expect(check('', { type, value: 'a' }, {}, [['a', undefined]])).toBeUndefined()
    expect(check('', { type, value: 'a' })).toBeUndefined()
  }
  for (const type of ['cost', 'not-cost']) expect(check('', { type, threshold: 1 }, { costUsd: null })).toBeUndefined()
})

test('very long and unlucky outputs take seconds at most', { timeout: 10_000 }, () => {
  for (const output of ['{'.repeat(60_000), '['.repeat(60_000), '{"a":"'.repeat(10_000), `beklager${' kan'.repeat(15_000)}`]) {
    for (const type of ['is-json', 'contains-json', 'is-refusal']) check(output, { type })
    check(output, { type: 'levenshtein', value: 'x'.repeat(4_000), threshold: 1_000 })
  }
})
