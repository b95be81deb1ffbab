import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { EXIT } from './exit-codes.ts'
import { SERVICE_SETTINGS, type ServiceSetting } from './options/service-settings.ts'
import { SETTINGS } from './options/settings.ts'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
/** The cells of the rows below a heading. */
function rows(heading: RegExp): string[][] {
  const table = readme.slice(readme.search(heading)).split('\n\n')[0] ?? ''
  const lines = table.split('\n').slice(2)
  return lines.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
}

test("the README's table of options is the code's", () => {
  expect(rows(/^\| option +\| environment/m)).toEqual(
    SETTINGS.map(({ flag, placeholder, env, default: standard, help }) => [
      `\`${`--${flag} ${placeholder}`.trimEnd()}\``,
      `\`${env}\``,
      standard === undefined ? '' : `\`${standard}\``,
      help,
    ]),
  )
})

test("the README's table of services is the code's", () => {
  expect(rows(/^\| environment +\| default/m)).toEqual(
    Object.values<ServiceSetting>(SERVICE_SETTINGS).map(({ env, kind, default: standard, help }) => [
      `\`${env}\`${kind === 'secret' ? ' (secret)' : ''}`,
      standard === undefined ? '' : `\`${standard}\``,
      help,
    ]),
  )
})

test("the README's table of exit codes is the code's", () => {
  expect(rows(/^\| exit code/m).map(([code]) => Number(code))).toEqual(Object.values(EXIT))
})
