import { expect, test } from 'vitest'
import { testCase } from './assertions.ts'

const fits = (assertion: object) => testCase.safeParse({ assert: [assertion] }).success

test.each<[object]>([
  [{ type: 'javascript', value: 'output.length > 1' }],
  [{ type: 'python', value: 'True' }],
  [{ type: 'contains', value: 'a', transform: 'output.trim()' }],
  [{ type: 'contains', value: 'a', provider: 'file://judge.js' }],
  [{ type: 'webhook', value: 'https://utenfra.example' }],
  [{ type: 'not-assert-set', assert: [{ type: 'is-json' }] }],
  [{ type: 'contains' }],
  [{ type: 'contains', value: '' }],
  [{ type: 'contains', value: 7 }],
  [{ type: 'contains-any', value: 'a' }],
  [{ type: 'contains-any', value: [] }],
  [{ type: 'regex', value: '[' }],
  [{ type: 'regex', value: 'a'.repeat(501) }],
  [{ type: 'is-refusal', value: 'x' }],
  [{ type: 'latency' }],
  [{ type: 'cost', value: '1', threshold: 1 }],
  [{ type: 'rouge-n', value: 'a', threshold: 2 }],
  [{ type: 'levenshtein', value: 'a', threshold: 1_001 }],
  [{ type: 'is-json', value: { type: 'string', pattern: '^(a+)+$' } }],
  [{ type: 'is-json', value: { $ref: '#' } }],
  [{ type: 'is-json', value: { enum: [{ a: 1 }] } }],
  [{ type: 'is-json', value: { type: 'text' } }],
  [{ type: 'is-json', value: { properties: { a: 7 } } }],
  [{ type: 'is-json', value: deep(12) }],
  [{ type: 'not-select-best', value: 'a' }],
  [{ type: 'select-best', value: 'a', threshold: 0.5 }],
  [{ type: 'assert-set', assert: [{ type: 'select-best', value: 'a' }] }],
  [{ type: 'similar', value: 'a', threshold: 2 }],
  [{ type: 'assert-set', assert: [{ type: 'assert-set', assert: [{ type: 'is-json' }] }] }],
])('%j is refused', (assertion) => expect(fits(assertion)).toBe(false))

test.each<[object]>([
  [{ type: 'select-best', value: 'kortest', weight: 2 }],
  [{ type: 'not-similar', value: 'a', threshold: 0.9 }],
  [{ type: 'not-contains', value: 'a', weight: 0, metric: 'tone' }],
  [{ type: 'is-json', value: deep(8) }],
  [{ type: 'is-json', value: { anyOf: [{ const: 'a' }, { enum: [1, null] }, true] } }],
  [
    {
      type: 'assert-set',
      threshold: 0.5,
      assert: [
        { type: 'icontains', value: 'a' },
        { type: 'llm-rubric', value: 'b' },
      ],
    },
  ],
])('%j is taken', (assertion) => expect(fits(assertion)).toBe(true))

function deep(layers: number): object {
  return layers === 0 ? { type: 'string' } : { items: deep(layers - 1) }
}
