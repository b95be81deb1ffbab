import { randomUUID } from 'node:crypto'
import { migrate, migrationStatus } from '@sidelinja/jobs-core/admin'
import pg from 'pg'
import type { Arena } from './arena.ts'

export interface EmptyDatabase {
  connectionString: string
  drop(): Promise<void>
}

export async function openEmptyDatabase({ server }: Arena): Promise<EmptyDatabase> {
  const name = `chaos_${randomUUID().replaceAll('-', '')}`
  await server.administer(`create database ${name}`)
  return {
    connectionString: server.connectionString(name),
    drop: () => server.administer(`drop database ${name} with (force)`),
  }
}

/** What a migration that was killed leaves behind must be what another can go on with, to the same end. */
export async function migrateAgain(arena: Arena, { connectionString }: EmptyDatabase): Promise<void> {
  const pool = new pg.Pool({ connectionString, max: 1 })
  pool.on('error', () => {})
  try {
    await migrate(pool)
    const missing = (await migrationStatus(pool)).filter(({ applied }) => !applied)
    if (missing.length > 0) arena.complaints.push(`a killed migration left ${missing.map(({ name }) => name)} undone`)
    const [ours, whole] = await Promise.all([objectsOf(pool), objectsOf(arena.pool)])
    if (ours !== whole) arena.complaints.push('a killed migration was finished to another schema')
  } catch (error) {
    arena.complaints.push(`a killed migration cannot be finished: ${error}`)
  } finally {
    await pool.end()
  }
}

/** Columns, indexes, constraints, functions and triggers, without what the chaos program added. */
async function objectsOf(pool: pg.Pool): Promise<string> {
  const { rows } = await pool.query(`
    select string_agg(line, E'\\n' order by line) as text from (
      select attrelid::regclass || ' ' || attname || ' ' || format_type(atttypid, atttypmod) || ' ' || attnotnull from pg_attribute
        join pg_class c on c.oid = attrelid where relnamespace = current_schema()::regnamespace and attnum > 0 and not attisdropped
      union all select conrelid::regclass || ' ' || pg_get_constraintdef(oid) from pg_constraint
        where connamespace = current_schema()::regnamespace
      union all select md5(pg_get_functiondef(oid)) from pg_proc
        where pronamespace = current_schema()::regnamespace and proname not like 'chaos%'
      union all select tgrelid::regclass || ' ' || tgname from pg_trigger where not tgisinternal and tgname not like 'chaos%') o (line)
    where line not like 'chaos%'`)
  return rows[0].text
}
