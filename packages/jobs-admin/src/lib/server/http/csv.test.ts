import { expect, test } from 'vitest'
import { csvLine } from './csv.ts'

test.each([
  ['plain', '"plain"'],
  ['a "quote", a comma', '"a ""quote"", a comma"'],
  ['three\r\nlines\nhere', '"three⏎lines⏎here"'],
  [null, '""'],
  [7, '"7"'],
  ['=HYPERLINK("http://evil","x")', `"'=HYPERLINK(""http://evil"",""x"")"`],
  ['+1', `"'+1"`],
  ['-1+cmd|x', `"'-1+cmd|x"`],
  [-1, `"'-1"`],
  ['@SUM(A1)', `"'@SUM(A1)"`],
  ['\t=1', `"'\t'=1"`],
  [' =1', `"' =1"`],
  ['\r=1', '"⏎=1"'],
  ['\n=1', '"⏎=1"'],
  ['＝1', `"'＝1"`],
  ['a=1; b', '"a=1; b"'],
  ['hei;=HYPERLINK(1);\t=2+2\n=3+3', `"hei;'=HYPERLINK(1);'\t'=2+2⏎=3+3"`],
  ['a,@b;-1', `"a,'@b;'-1"`],
  ['a;"=1', `"a;'""=1"`],
  ['a; +1', `"a;' +1"`],
])('%j is the cell %j', (value, cell) => {
  expect(csvLine([value, 'next'], ',')).toBe(`${cell},"next"\r\n`)
  expect(csvLine([value, 'next'], ';')).toBe(`${cell};"next"\r\n`)
})

// As a spreadsheet reads what it splits at another separator than the file has: at it wherever it stands, with quotes around a cell taken away.
test.each([';', ',', '\t'])('no piece begins a formula where a spreadsheet splits at %j', (splitsAt) => {
  const line = csvLine(['hei;=1,=1\t=1;"=1', '=1', 'x\n=1,"+1"\t"@1"'], ';')
  const pieces = line.split(/\r\n|[\r\n]/).flatMap((row) => row.split(splitsAt))
  expect(pieces.length).toBeGreaterThan(2)
  expect(pieces.filter((piece) => /^[\s"]*[=+\-@]/.test(piece))).toEqual([])
})
