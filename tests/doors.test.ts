import { describe, expect, test } from 'vitest'
import { type Door, readDoors } from './support/doors.ts'

const doors = readDoors()
const packages = Map.groupBy(doors, (door) => door.package)

describe('doors', () => {
  // A changed list is a changed contract: run this file with -u and say why in a changeset.
  test.each([...packages])('%s exports what it did', async (name, found) => {
    await expect(found.map(listing).join('\n')).toMatchFileSnapshot(`snapshots/doors/${name.replace('@sidelinja/', '')}.txt`)
  })

  test('the main door of jobs-core has at most 25 values', () => {
    const main = doors.find((door) => door.package === '@sidelinja/jobs-core' && door.path === '.')
    const values = main?.exports.filter(({ kind }) => kind === 'value') ?? []
    expect(values.length).toBeGreaterThan(5)
    expect(values.length).toBeLessThanOrEqual(25)
  })

  test('every exported symbol has a doc comment', () => {
    expect(everyExport().filter(({ documentation }) => documentation === '')).toEqual([])
  })

  test('every option has a doc comment', () => {
    expect(everyExport().filter(({ undocumentedMembers }) => undocumentedMembers.length > 0)).toEqual([])
  })
})

function everyExport() {
  return doors.flatMap((door) => door.exports.map((exported) => ({ door: `${door.package} ${door.path}`, ...exported })))
}

function listing({ path, exports }: Door): string {
  return [path, ...exports.map(({ kind, name }) => `  ${kind} ${name}`), ''].join('\n')
}
