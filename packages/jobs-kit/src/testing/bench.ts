import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestDatabase } from '@sidelinja/jobs-core/testing'
import type { Services } from '../services.ts'
import type { Bench, Check, ConformanceOptions } from './conformance.ts'
import { readSnapshot } from './snapshot.ts'

/** Runs one rule on a database and a folder of its own. @returns how the handler breaks it. */
export async function runCheck(check: Check, options: ConformanceOptions): Promise<string[]> {
  const database = await createTestDatabase(options.server)
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
    await database.drop()
    await rm(sandboxFolder, { recursive: true, force: true })
  }
}
