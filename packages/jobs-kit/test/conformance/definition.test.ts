import { defineJob } from '@sidelinja/jobs-core'
import { defineHandler } from '@sidelinja/jobs-core/worker'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { HandlerPackage } from '../../src/index.ts'
import type { ConformanceOptions } from '../../src/testing/index.ts'
import { arrangeNotes, type PackageFiles, storeNotes } from './notes.ts'
import { says, violations } from './violations.ts'

describe('is defined as its package says', () => {
  const rule = 'is defined as its package says'
  const definedAs = (definition: HandlerPackage['definition']): Partial<ConformanceOptions> => ({
    package: { definition, createHandler: () => defineHandler(definition, async () => ({})) },
  })

  test.each<[words: RegExp, files: PackageFiles]>([
    [/package is called @sidelinja\/notes; the type store_notes belongs in handler-store-notes/, { name: '@sidelinja/notes' }],
    [/no export ".\/job"/, { exports: { '.': 'x' } }],
    [/does not name the job type/, { readme: 'A missing file is permanent.' }],
    [/does not say which failures are permanent/, { readme: 'store_notes' }],
  ])('%s', async (words, files) => {
    expect(await violations(rule, {}, files)).toEqual(says(words))
  })

  test('another definition', async () => {
    const other = defineJob({ type: 'store_notes', payload: z.object({}) })
    const mixed = { definition: storeNotes, createHandler: () => defineHandler(other, async () => ({})) }
    expect(await violations(rule, { package: mixed })).toEqual(says(/for another definition/))
  })

  test('a timeout longer than a day', async () => {
    const definition = defineJob({ type: 'store_notes', payload: z.object({}), timeoutMs: 25 * 3_600_000 })
    expect(await violations(rule, definedAs(definition))).toEqual(says(/longer than a day/))
  })

  test('a type that is not quite snake_case', async () => {
    const definition = defineJob({ type: 'store__notes', payload: z.object({}) })
    const files = { name: 'handler-store--notes', readme: 'store__notes permanent' }
    expect(await violations(rule, definedAs(definition), files)).toEqual(says(/store__notes is not snake_case/))
  })

  test('a folder without any file', async () => {
    expect(await violations(rule, { packageFolder: new URL('file:///nowhere') })).toHaveLength(4)
  })
})

describe('refuses a bad payload before it runs', () => {
  const rule = 'refuses a bad payload before it runs'

  test('a schema that takes anything', async () => {
    const definition = defineJob({ type: 'store_notes', payload: z.any() })
    const found = await violations(rule, { package: { definition, createHandler: () => defineHandler(definition, async () => ({})) } })
    expect(found).toHaveLength(5 + 3)
    expect(found).toEqual(expect.arrayContaining(says(/accepts the bad payload null/, /accepts the bad payload \{\}/)))
  })

  test('no bad payload given', async () => {
    expect(await violations(rule, { badPayloads: [] })).toEqual(says(/badPayloads is empty/))
  })

  test('an arranged payload that is refused', async () => {
    const arrange: ConformanceOptions['arrange'] = async (...args) => ({ ...(await arrangeNotes(...args)), payload: { nodeId: 1 } })
    expect(await violations(rule, { arrange })).toEqual(says(/refuses the arranged payload \{"nodeId":1\}/))
  })
})
