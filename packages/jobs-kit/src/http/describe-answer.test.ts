import { expect, test } from 'vitest'
import { describeAnswer } from './describe-answer.ts'

const cases: [string, string][] = [
  ['', ''],
  ['Internal Server Error', 'Internal Server Error'],
  ['{"detail":"Model not found"}', 'Model not found'],
  ['{"error":"no speech"}', 'no speech'],
  ['{"error":{"message":"Rate limit reached","type":"x","code":"429"}}', 'Rate limit reached'],
  ['{"error":{"code":402,"message":"Insufficient credits","metadata":{}}}', 'Insufficient credits'],
  ['{"message":"sha does not match","url":"https://x"}', 'sha does not match'],
  [
    '{"detail":[{"type":"enum","loc":["body","language"],"msg":"Input should be no","input":"hemmelig tekst"}]}',
    'body.language: Input should be no',
  ],
  ['{"input":"hemmelig tekst"}', 'JSON with input'],
  ['[]', 'JSON with nothing in it'],
  ['{"half":', '{"half":'],
  ['<!doctype html><html><head><style>b{}</style></head><body><h1>502</h1>\n<p>Bad Gateway</p></body></html>', '502 Bad Gateway'],
  ['{"error":"bad key sk-test-AAAABBBBCCCCDDDD1111"}', 'bad key sk-***'],
]

test.each(cases)('%s says %s', (body, said) => {
  expect(describeAnswer(body)).toBe(said)
})

test('a long answer is cut, and takes no time', () => {
  expect(describeAnswer('ord '.repeat(500_000)).length).toBeLessThanOrEqual(2_001)
  expect(describeAnswer(`<html>${'<'.repeat(1_000_000)}`).length).toBeLessThanOrEqual(2_001)
  expect(describeAnswer(`{"error":${'['.repeat(15_000)}`)).toContain('{"error"')
})
