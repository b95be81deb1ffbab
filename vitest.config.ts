import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

/** Types are stripped and nothing else. A tsconfig could only be in the way: that of apps/admin extends a file which its build makes. */
const oxc = { tsconfig: false, target: 'es2023' }
const conditions = ['@sidelinja/source', 'module', 'node', 'development|production']

/** Files that lean on a process of their own: they count its connections, end it, or run the tests of another file again. */
const apart = [
  'packages/jobs-core/test/{*,as-queue-worker/*,cases/*,embedded-postgres/*,testing/*}.test.ts',
  'packages/jobs-kit/test/conformance/*.test.ts',
]

/** `npm run test:browser`: minutes of Chromium. */
const inBrowsers = 'apps/admin/test/browser/*.test.ts'

/** `npm run test:journeys`: minutes of what newcomers do. */
const journeys = 'tests/journeys/*.test.ts'

const whole = {
  globalSetup: ['tests/setup/global-setup.ts'],
  testTimeout: 120_000,
  hookTimeout: 120_000,
}

const database = {
  globalSetup: ['tests/setup/global-setup.ts'],
  testTimeout: 30_000,
  hookTimeout: 30_000,
}

export default defineConfig({
  resolve: { conditions },
  environments: { __vitest__: { resolve: { conditions, externalConditions: conditions } } },
  oxc,
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    // vitest leaves one core free, which on two cores means one file at a time and twice the wait. Many tests wait for time to pass: three keep two cores busy.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          isolate: false,
          include: ['{packages,apps,scripts}/*/src/**/*.test.ts'],
        },
      },
      {
        extends: true,
        test: {
          ...database,
          name: 'database',
          include: ['{packages,apps}/*/test/**/*.test.ts'],
          exclude: [...apart, inBrowsers],
          // A worker that keeps its modules saves a third of the time. Each file has a database of its own.
          isolate: false,
        },
      },
      {
        extends: true,
        test: { ...database, name: 'database-apart', include: apart },
      },
      {
        extends: true,
        test: {
          ...database,
          name: 'browser',
          include: [inBrowsers],
          isolate: false,
          testTimeout: 60_000,
          expect: { poll: { timeout: 10_000 } },
        },
      },
      {
        extends: true,
        test: {
          ...whole,
          name: 'repo',
          include: ['tests/**/*.test.ts'],
          exclude: [journeys],
        },
      },
      { extends: true, test: { ...whole, name: 'journeys', include: [journeys] } },
    ],
  },
})
