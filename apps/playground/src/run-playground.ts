import { once } from 'node:events'
import { ConfigurationError, isJobsError } from '@sidelinja/jobs-core'
import { type MigrationSource, migrate, queueMigrations, roleMigrations } from '@sidelinja/jobs-core/admin'
import { isConnectionLoss, surviveDisconnects } from '@sidelinja/jobs-core/worker'
import { handlerMigrations, handlerRoleMigrations } from '@sidelinja/jobs-kit/storage'
import { type SiteStandIn, startGatewayStandIn } from '@sidelinja/jobs-kit/testing'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { type AdminPage, prepareAdminPage } from './admin/admin-page.ts'
import { makePageLogin } from './admin/page-login.ts'
import { openDatabase, type PlaygroundDatabase } from './database.ts'
import { allowDemoUsers } from './demo/demo-users.ts'
import { enqueueDemo } from './demo/enqueue-demo.ts'
import { enqueueEpisode, prepareEpisode } from './episode/prepare-episode.ts'
import { showEpisode } from './episode/show-episode.ts'
import { type EpisodeServices, startEpisodeServices } from './episode/start-episode-services.ts'
import { finishJobs } from './finish-jobs.ts'
import { countsTable, howTo } from './how-to.ts'
import type { PlaygroundRun } from './playground-run.ts'
import { refuseForeignJobs } from './refuse-foreign-jobs.ts'
import { allSamples } from './samples/all-samples.ts'
import { answerModeration, readRecordedModeration } from './samples/moderation-replies.ts'
import { enqueueSamples, showSamples } from './samples/sample.ts'
import { finishStatistics } from './statistics/finish-statistics.ts'
import { enqueueSample, prepareSample, scheduleSample } from './statistics/sample.ts'
import { enqueueTexts } from './texts/enqueue-texts.ts'
import { serveSamplePage } from './texts/serve-sample-page.ts'
import { showTexts } from './texts/show-texts.ts'
import { createEnglishEmbedder } from './vectors/english-embedder.ts'
import { enqueueEdges, enqueueVectors, prepareVectors } from './vectors/enqueue-vectors.ts'
import { showVectors } from './vectors/show-vectors.ts'
import { makeWorker, playgroundTypes } from './worker.ts'

/** From nothing to counts, then on until the signal; takes down what it has put up, the database last. */
export async function runPlayground(run: PlaygroundRun): Promise<void> {
  const page = run.once || run.noAdmin ? undefined : await prepareAdminPage(run)
  try {
    await withDatabase(run, page)
  } finally {
    await page?.stop()
  }
}

async function withDatabase(run: PlaygroundRun, page: AdminPage | undefined): Promise<void> {
  const database = await openDatabase(run.databaseUrl, run)
  let ended = false
  void database.exited.then(() => {
    ended = true
  })
  const pool = surviveDisconnects(new pg.Pool({ connectionString: database.connectionString, application_name: 'sidelinja playground' }))
  try {
    await onDatabase(pool, database, { ...run, page })
  } catch (error) {
    // Whoever notices first: what it says is about a connection.
    if (ended && !run.signal.aborted && isConnectionLoss(error)) unexpectedEnd(error)
    throw error
  } finally {
    await page?.stop()
    await pool.end()
    await database.stop()
  }
}

async function onDatabase(
  pool: pg.Pool,
  database: PlaygroundDatabase,
  run: PlaygroundRun & { page: AdminPage | undefined },
): Promise<void> {
  const { print } = run
  print(`Database: ${database.description}`)
  const applied = await migrateTables(pool, database, run.state)
  print(applied.length > 0 ? `Migrated: ${applied.length} files` : 'Migrated: nothing new')
  run.page?.serve(database.ownServer ? await makePageLogin(pool, database.connectionString) : database.connectionString)
  const gateway = await startGatewayStandIn({ embedder: createEnglishEmbedder(), answer: answerModeration(readRecordedModeration()) })
  let services: EpisodeServices | undefined
  let site: SiteStandIn | undefined
  try {
    site = await serveSamplePage()
    print(`AI gateway: ${gateway.describe()}`)
    services = await startEpisodeServices(run)
    await withWorker(pool, database, { ...run, services, gatewayUrl: new URL(gateway.url), pageUrl: site.url })
  } finally {
    await services?.close()
    await site?.close()
    await gateway.close()
  }
}

type Run = PlaygroundRun & { page: AdminPage | undefined; services: EpisodeServices | undefined; gatewayUrl: URL; pageUrl: string }

async function withWorker(pool: pg.Pool, database: PlaygroundDatabase, run: Run): Promise<void> {
  const { signal, print, services, page } = run
  await refuseForeignJobs(pool, playgroundTypes(services), adviceOn(database, run.state))
  await prepareSample(pool, database)
  if (services) await prepareEpisode(pool, database.mediaRoot)
  const episodeJobId = services && (await enqueueEpisode(pool))
  const jobIds = [
    ...(await enqueueTexts(pool, run.pageUrl)),
    ...(await enqueueSamples(pool, allSamples)),
    ...(episodeJobId ? [episodeJobId] : []),
  ]
  const statisticsJobId = await enqueueSample(pool)
  await scheduleSample(pool)
  if (page) {
    await enqueueDemo(pool)
    await allowDemoUsers(pool)
  }
  signal.throwIfAborted()

  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  const worker = makeWorker({ ...database, ...run, db, pageHost: new URL(run.pageUrl).host, demo: page !== undefined })
  signal.addEventListener('abort', () => void worker.stop())
  try {
    await worker.start()
    await finishStatistics(pool, statisticsJobId, run)
    await finishJobs(pool, jobIds, run)
    await prepareVectors(pool)
    await finishJobs(pool, await enqueueVectors(pool), run)
    await finishJobs(pool, await enqueueEdges(pool), run)
    print(await countsTable(db))
    print(await showTexts(pool))
    print(await showSamples(db, pool, allSamples))
    if (services) print(await showEpisode(db))
    print(await showVectors(db, run.gatewayUrl, signal))
    if (run.once) return
    print(howTo(database, { ...run, pageAddress: await page?.ready() }))
    await Promise.race([once(signal, 'abort'), database.exited.then(() => unexpectedEnd())])
  } finally {
    await worker.stop()
  }
}

function adviceOn({ ownServer }: PlaygroundDatabase, state: string): string {
  return ownServer ? `Delete the folder ${state} to begin anew.` : 'Create an empty database and name that one in DATABASE_URL.'
}

/** On a server of our own also the roles, for the page's login; those of another server are its administrator's. */
const sources: readonly MigrationSource[] = [queueMigrations, handlerMigrations]

/** Kept data may be older than a migration that is still being worked on: it is only a sample, so it can go. */
async function migrateTables(pool: pg.Pool, { ownServer }: PlaygroundDatabase, state: string): Promise<readonly string[]> {
  try {
    return (await migrate(pool, { sources: ownServer ? [...sources, roleMigrations, handlerRoleMigrations] : sources })).applied
  } catch (cause) {
    if (!ownServer || !isJobsError(cause) || cause.code !== 'MIGRATION_EDITED') throw cause
    throw new ConfigurationError(
      'MIGRATION_EDITED',
      `${cause.message} Or delete the folder ${state}, where the old data is, and start anew.`,
      {
        cause,
      },
    )
  }
}

/** Somebody ended the embedded server: shown as one sentence. */
export class ServerEndedError extends Error {
  override readonly name = 'ServerEndedError'
}

function unexpectedEnd(cause?: unknown): never {
  throw new ServerEndedError('The embedded PostgreSQL has ended by itself, or was ended. Start again; what was committed is kept.', {
    cause,
  })
}
