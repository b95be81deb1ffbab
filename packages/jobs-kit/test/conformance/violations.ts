import { rm } from 'node:fs/promises'
import { createTestDatabase, type TestDatabase } from '@sidelinja/jobs-core/testing'
import type { WriteTransaction } from '@sidelinja/jobs-core/worker'
import { afterAll, beforeAll, expect, inject } from 'vitest'
import type { Services } from '../../src/index.ts'
import { type ConformanceOptions, handlerChecks, runCheck } from '../../src/testing/index.ts'
import { notesOptions, notesPackage, type PackageFiles, type Run, writePackage } from './notes.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase(inject('server'))
})
afterAll(() => database.drop())

/** What the rule of this name says about a handler that differs from the good one in the given ways. */
export async function violations(rule: string, overrides: Partial<ConformanceOptions>, files?: PackageFiles): Promise<string[]> {
  const check = handlerChecks.find(({ name }) => name === rule)
  if (!check) throw new Error(`no rule is called ${rule}`)
  const folder = await writePackage(files)
  try {
    return await runCheck(check, notesOptions(folder, overrides), database)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** The good handler's package with another way to run. */
export const running = (run: Run): Partial<ConformanceOptions> => ({ package: notesPackage(run) })

/** Matches so many sentences, in order. */
export const says = (...words: RegExp[]) => words.map((word) => expect.stringMatching(word))

/** A database connection beside the transaction, as a handler might smuggle one in. */
const smuggled = new WeakMap<object, WriteTransaction>()

export const smuggling: ConformanceOptions['createServices'] = async (database, sandboxFolder) => {
  const services = await notesOptions(new URL('file:///')).createServices(database, sandboxFolder)
  smuggled.set(services, database.db as unknown as WriteTransaction)
  return services
}

export const besides = (services: Services) => smuggled.get(services) as WriteTransaction
