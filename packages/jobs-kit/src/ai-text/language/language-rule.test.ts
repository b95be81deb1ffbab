import { expect, test } from 'vitest'
import { languageRule } from './language-rule.ts'

test.each([
  ['nb', /in Norwegian bokmål,.*skriv på bokmål/],
  ['nb-NO', /in Norwegian bokmål,/],
  ['nn', /in Norwegian nynorsk,.*skriv på nynorsk/],
  ['nn_NO', /in Norwegian nynorsk,/],
  ['en-GB', /in English,/],
  ['se', /in Northern Sami,/],
  ['no', /language of the data; where that is Norwegian/],
  ['xx', /language of the data/],
  ['"; drop', /language of the data/],
  ['', /language of the data/],
  [null, /language of the data/],
])('%s', (language, rule) => expect(languageRule(language)).toMatch(rule))
