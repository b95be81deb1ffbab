const COLUMNS = 76

/** A text in lines that fit, two blanks before each. */
export function indent(text: string): string {
  return text
    .split('\n')
    .flatMap((line) => line.match(new RegExp(`.{1,${COLUMNS}}(?:\\s|$)|\\S+`, 'g')) ?? [''])
    .map((line) => `  ${line.trimEnd()}`.trimEnd())
    .join('\n')
}
