import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { EXIT } from './exit-codes.ts'
import { SERVICE_SETTINGS, type ServiceSetting } from './options/service-settings.ts'
import { SETTINGS } from './options/settings.ts'

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')
const readme = read('apps/worker/README.md')
const services = Object.values<ServiceSetting>(SERVICE_SETTINGS)

/** The cells of the rows below a heading. */
function rows(heading: RegExp, page = readme): string[][] {
  const table = page.slice(page.search(heading)).split('\n\n')[0] ?? ''
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
    services.map(({ env, kind, default: standard, help }) => [
      `\`${env}\`${kind === 'secret' ? ' (secret)' : ''}`,
      standard === undefined ? '' : `\`${standard}\``,
      help,
    ]),
  )
})

test("the README's table of exit codes is the code's", () => {
  expect(rows(/^\| exit code/m).map(([code]) => Number(code))).toEqual(Object.values(EXIT))
})

test.each(['docs/operations.md', 'docs/infra/jobbkø.md'])('%s names every variable about a service', (path) => {
  expect(services.map(({ env }) => env).filter((env) => !read(path).includes(`\`${env}`))).toEqual([])
})

test.each([
  ['docs/operations.md', /^\| variable +\| default/m],
  ['docs/infra/jobbkø.md', /^\| flagg +\| miljøvariabel/m],
  ['docs/infra/jobbkø.md', /^\| miljøvariabel +\| standard/m],
])('the defaults in %s below %s are those of the code', (path, heading) => {
  const specs = [...SETTINGS, ...services]
  const stated = rows(heading, read(path)).flatMap((cells) => {
    const spec = specs.find(({ env }) => cells.includes(`\`${env}\``))
    return spec?.default === undefined ? [] : [{ env: spec.env, default: spec.default, cell: cells[cells.indexOf(`\`${spec.env}\``) + 1] }]
  })
  expect(stated.length).toBeGreaterThan(3)
  expect(stated.filter((each) => each.cell?.split(/[:,]/)[0] !== each.default)).toEqual([])
})
