import { expect, test } from 'vitest'
import { render } from './template.ts'

test('variables go in where their names stand, and nothing that they say is looked into again', () => {
  expect(render('{{ a }} og {{b}}{{b}}', { a: 'Å {{b}}', b: 7 }, 'prompt')).toBe('Å {{b}} og 77')
  expect(render('$& $1 {{a}}', { a: '$& $1' }, 'prompt')).toBe('$& $1 $& $1')
  expect(render('et { enkelt } tegn', {}, 'prompt')).toBe('et { enkelt } tegn')
})

test.each([
  '{{ a | upper }}',
  '{{a.b}}',
  '{{ a() }}',
  '{{constructor}}',
  '{{__proto__}}',
  '{% if a %}',
  '{# a #}',
  '{{ a',
  '{{}}',
  '{{{a}}}',
  '{{range.constructor("x")()}}',
])('%s is refused, and no engine asked', (template) =>
  expect(() => render(template, { a: 'x' }, 'prompt')).toThrow(expect.objectContaining({ code: 'PROMPT_TEMPLATE_INVALID' })),
)

test('a name that the test does not have is told, with those that it has', () => {
  expect(() => render('{{b}}', { a: 'x' }, 'prompt')).toThrow(/expected vars to have "b", got a/)
})

test('a short template cannot become very long', () => {
  expect(() => render('{{a}}'.repeat(4_000), { a: 'x'.repeat(20_000) }, 'prompt')).toThrow(/at most 200000 characters/)
})
