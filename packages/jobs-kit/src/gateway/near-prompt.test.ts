import { expect, test } from 'vitest'
import { nearPrompt } from './near-prompt.ts'

test.each([
  [{ recipe_extarct: 'x' }, 'recipe_extarct'],
  [{ 'recipe-extract': 'x' }, 'recipe-extract'],
  [{ meeting_summarize: 'x' }, undefined],
  [{ recipe_extract: 'x', recipe_extarct: 'y' }, undefined],
  [{}, undefined],
])('%j, for recipe_extract: %s', (prompts: Record<string, string>, near) => {
  expect(nearPrompt(prompts, 'recipe_extract')).toBe(near)
})
