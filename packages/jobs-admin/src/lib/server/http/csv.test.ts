import { expect, test } from 'vitest'
import { csvLine } from './csv.ts'

test.each([
  ['plain', '"plain"'],
  ['a "quote", a comma', '"a ""quote"", a comma"'],
  ['two\r\nlines', '"two\r\nlines"'],
  [null, '""'],
  [7, '"7"'],
  ['=HYPERLINK("http://evil","x")', `"'=HYPERLINK(""http://evil"",""x"")"`],
  ['+1', `"'+1"`],
  ['-1+cmd|x', `"'-1+cmd|x"`],
  [-1, `"'-1"`],
  ['@SUM(A1)', `"'@SUM(A1)"`],
  ['\t=1', `"'\t=1"`],
  ['\r=1', `"'\r=1"`],
  ['\n=1', `"'\n=1"`],
  ['＝1', `"'＝1"`],
  ['a=1', '"a=1"'],
])('%j is the cell %j', (value, cell) => {
  expect(csvLine([value, 'next'])).toBe(`${cell},"next"\r\n`)
})
