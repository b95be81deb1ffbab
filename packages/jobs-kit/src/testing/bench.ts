import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestDatabase } from '@sidelinja/jobs-core/testing'
import type { Services } from '../services.ts'
import type { Bench, Check, ConformanceOptions } from './conformance.ts'
import { readSnapshot } from './snapshot.ts'

/**
 * Runs one rule, in a folder of its own. The database may hold what other rules have left: every rule arranges new collections and
 * looks at what changes.
 * @returns how the handler breaks the rule, in sentences.
 */
export async function runCheck(check: Check, options: ConformanceOptions, database: TestDatabase): Promise<string[]> {
  const sandboxFolder = await realpath(await mkdtemp(join(tmpdir(), 'handler-')))
  try {
    const services = (await options.createServices(database, sandboxFolder)) as Services
    const bench: Bench = {
      options,
      database,
      services,
      handler: options.package.createHandler(services),
      arrange: () => options.arrange(database, sandboxFolder),
      snapshot: (ignoreColumns) => readSnapshot(database, { ignoreTables: options.ignoreTables, ignoreColumns }),
    }
    return await check.run(bench)
  } finally {
    await rm(sandboxFolder, { recursive: true, force: true })
  }
}
