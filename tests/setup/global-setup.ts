import { migrate, queueMigrations } from '@sidelinja/jobs-core/admin'
import { startTestServer } from '@sidelinja/jobs-core/testing'
import { handlerMigrations } from '@sidelinja/jobs-kit/storage'
import type { TestProject } from 'vitest/node'
import { findProgram } from './find-program.ts'

/** Outages of tests take so long; `npm run outages` has them last as long as real ones. */
const shortOutageMs = 1_500

/** One server for the whole run (DATABASE_URL, or an embedded one) and one migrated template database. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  project.provide('pgbouncer', findProgram('pgbouncer'))
  // Debian's package brings ffprobe along.
  project.provide('ffmpeg', findProgram('ffprobe', 'ffmpeg') && findProgram('ffmpeg'))
  project.provide('caddy', findProgram('caddy'))
  project.provide('chromium', findProgram('chromium'))
  project.provide('pocketsphinx', findProgram('pocketsphinx_continuous', 'pocketsphinx pocketsphinx-en-us'))
  project.provide('pdftotext', findProgram('pdftotext', 'poppler-utils'))
  project.provide('outageMs', Number(process.env.SIDELINJA_TEST_OUTAGE_MS ?? shortOutageMs))
  project.provide('fuzz', {
    steps: Number(process.env.SIDELINJA_TEST_FUZZ_STEPS ?? 1_000),
    seed: Number(process.env.SIDELINJA_TEST_FUZZ_SEED ?? Math.floor(Math.random() * 1e9)),
  })
  project.provide('fullCases', process.env.SIDELINJA_TEST_FULL_CASES === '1')
  const { server, stop } = await startTestServer({
    connectionString: process.env.DATABASE_URL,
    migrate: ({ pool }) => migrate(pool, { sources: [queueMigrations, handlerMigrations] }),
  })
  project.provide('server', server)
  return stop
}
