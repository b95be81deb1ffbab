import { createTestDatabase, type TestDatabase } from '@sidelinja/jobs-core/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runCheck } from './bench.ts'
import { handlerChecks } from './checks/index.ts'
import type { ConformanceOptions } from './conformance.ts'

/**
 * The conformance suite every handler passes. Call it at the top of a test file of the handler's package: each rule becomes a test.
 */
export function describeHandler(options: ConformanceOptions): void {
  describe(`handler ${options.package.definition.type}`, () => {
    let database: TestDatabase
    beforeAll(async () => {
      database = await createTestDatabase(options.server)
    })
    afterAll(() => database.drop())

    test.each(handlerChecks)('$name', async (check) => {
      expect(await runCheck(check, options, database)).toEqual([])
    })
  })
}
