import { randomUUID } from 'node:crypto'
import { migrate, queueMigrations } from '@sidelinja/jobs-core/admin'
import { inDatabase, startEmbeddedPostgres } from '@sidelinja/jobs-core/testing'
import { handlerMigrations } from '@sidelinja/jobs-kit/storage'
import pg from 'pg'
import type { TestProject } from 'vitest/node'

/** One server for the whole run (DATABASE_URL, or an embedded one) and one migrated template database. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.DATABASE_URL
  const embedded = given ? undefined : await startEmbeddedPostgres()
  const connectionString = given ?? embedded?.connectionString() ?? ''
  const template = `template_jobs_${randomUUID().slice(0, 8)}`
  await administer(connectionString, `create database ${template}`)
  const pool = new pg.Pool({ connectionString: inDatabase(connectionString, template), max: 2 })
  await migrate(pool, { sources: [queueMigrations, handlerMigrations] })
  await pool.end()
  project.provide('server', { connectionString, template })
  return async () => {
    if (embedded) await embedded.stop()
    else await administer(connectionString, `drop database ${template} with (force)`)
  }
}

async function administer(connectionString: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  await client.query(statement)
  await client.end()
}
