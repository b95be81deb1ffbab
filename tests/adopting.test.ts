import { migrate, queueMigrations } from '@sidelinja/jobs-core/admin'
import { handlerMigrations } from '@sidelinja/jobs-kit/storage'
import { describe, expect, inject, test } from 'vitest'
import { readSchema } from './support/catalogue.ts'
import { differences } from './support/differences.ts'
import { emptyDatabase } from './support/empty-database.ts'
import { block } from './support/examples.ts'
import { readJson, readText, sourceFiles } from './support/workspace.ts'

const page = readText('docs/adopting.md')
const collectionNodeId = 'aaaaaaaa-0000-4000-8000-000000000001'

describe('docs/adopting.md', () => {
  test('names every rule that keeps a queue from being adopted, and no other', () => {
    const code = sourceFiles().filter((file) => file.startsWith('packages/jobs-core/src/admin/adopt/'))
    const rules = code.flatMap((file) => [...readText(file).matchAll(/rule: '([a-z-]+)'/g)].map(([, rule = '']) => rule))
    // Made from a column's name; and finished jobs are only noted.
    const written = ['<column>-null', 'priority-range', 'attempts-range', 'max-attempts-range']
    const expected = [...rules.filter((rule) => !rule.startsWith('finished-')), ...written]
    expect(rulesOf(page).toSorted()).toEqual([...new Set(expected)].toSorted())
  })

  test.each([
    ['no-tenant', ['no tenant']],
    ['workspace-id', ['workspace_id']],
    ['collection-node-id', []],
  ])('leads a queue of the shape %s back to its worker, with all jobs, and it can be adopted again', async (shape, marks) => {
    const database = await emptyDatabase(inject('server').connectionString)
    const { pool, query } = database
    const adopt = () => migrate(pool, { sources: [queueMigrations, handlerMigrations], adopt: { collectionNodeId, force: true } })
    try {
      await query(readText(`packages/jobs-core/test/adopt/fixtures/${shape}.sql`))
      await query(insertOld(shape))
      const columns = await columnsOf(pool)
      await adopt()
      const adopted = await readSchema(pool)
      await query(`select enqueue_job('${collectionNodeId}', 'new', '{}'), enqueue_job('${collectionNodeId}', 'given_up', '{}')`)
      await query(`update job_queue set status = 'cancelled' where job_type = 'given_up'`)

      for (const mark of ['the way back', ...marks]) await query(statements(mark))
      expect((await columnsOf(pool)).toSorted()).toEqual(columns.toSorted())
      const { rows } = await pool.query('select job_type, status from job_queue order by job_type')
      expect(rows.map((row) => Object.values(row).join(' '))).toEqual(['given_up error', 'new pending', 'old pending', 'running retry'])
      await query(insertOld(shape))

      await adopt()
      expect(differences(adopted, await readSchema(pool))).toEqual([])
      if (shape !== 'collection-node-id') {
        expect(differences(readJson('migrations/schema.snapshot.json'), adopted).filter((line) => !line.includes('workspaces'))).toEqual([])
      }
    } finally {
      await database.drop()
    }
  })
})

function statements(mark: string): string {
  const sql = block(page, `tested: ${mark}`, 'sql')
  if (sql === undefined) throw new Error(`docs/adopting.md has no block "tested: ${mark}".`)
  return sql
}

function rulesOf(markdown: string): string[] {
  const table = markdown.slice(markdown.indexOf('| rule | what it means |')).split('\n\n')[0] ?? ''
  const cells = table
    .split('\n')
    .slice(2)
    .map((line) => line.split('|')[1] ?? '')
  return cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, rule = '']) => rule))
}

function insertOld(shape: string): string {
  const tenant = { 'workspace-id': 'workspace_id', 'collection-node-id': 'collection_node_id' }[shape]
  return `insert into job_queue (job_type, payload, status${tenant ? `, ${tenant}` : ''})
    select type, '{}', status::job_status${tenant ? `, '${collectionNodeId}'` : ''}
    from (values ('old', 'pending'), ('running', 'running')) v (type, status) where not exists (select from job_queue where job_type = type)`
}

async function columnsOf(pool: { query(text: string): Promise<{ rows: { name: string }[] }> }): Promise<string[]> {
  const { rows } = await pool.query(
    `select attname as name from pg_attribute where attrelid = 'job_queue'::regclass and attnum > 0 and not attisdropped`,
  )
  return rows.map(({ name }) => name)
}
