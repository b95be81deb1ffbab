import type { WriteTransaction } from '@sidelinja/jobs-core/worker'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { ConformanceOptions } from '../../src/testing/index.ts'
import { arrangeNotes, insertNotes, type Run, readLines } from './notes.ts'
import { running, says, violations } from './violations.ts'

describe('writes rows of its own collection only', () => {
  const rule = 'writes rows of its own collection only'

  test('a row for another collection', async () => {
    const generous: Run = async ({ payload }) => ({ write: (trx) => insertNotes(trx, payload.nodeId, payload.nodeId, ['x']) })
    expect(await violations(rule, running(generous))).toEqual(
      says(/wrote rows of notes for another collection than the job's: [0-9a-f-]{36}\./),
    )
  })

  test('a table without a tenant', async () => {
    const run: Run = async () => ({
      write: async (trx) => {
        await sql`insert into orphans (line) values ('x')`.execute(trx)
      },
    })
    const arrange: ConformanceOptions['arrange'] = async (database, folder) => {
      await database.pool.query('create table if not exists orphans (line text)')
      return await arrangeNotes(database, folder)
    }
    expect(await violations(rule, { ...running(run), arrange })).toEqual(says(/orphans has no column collection_node_id/))
    expect(await violations(rule, { ...running(run), arrange, ignoreTables: ['orphans'] })).toEqual([])
  })

  test("a change to the host's nodes is the host's own affair", async () => {
    const renaming: Run = async ({ payload }) => ({
      write: async (trx) => {
        await sql`update nodes set title = 'x' where id = ${payload.nodeId}`.execute(trx)
      },
    })
    expect(await violations(rule, running(renaming))).toEqual([])
  })
})

describe("leaves other collections' rows as they are", () => {
  const rule = "leaves other collections' rows as they are"
  const replacing =
    (remove: (trx: WriteTransaction, nodeId: string) => Promise<unknown>): Run =>
    async (context, services) => {
      const lines = await readLines(context, services)
      return {
        write: async (trx) => {
          await remove(trx, context.payload.nodeId)
          await insertNotes(trx, context.job.collectionNodeId, context.payload.nodeId, lines)
        },
      }
    }

  test('a handler that clears the table', async () => {
    const run = replacing((trx) => sql`delete from notes`.execute(trx))
    expect(await violations(rule, running(run))).toEqual(says(/run changed rows of another collection: notes \+0 −2/))
  })

  test("a handler that trusts its payload's ids", async () => {
    const run = replacing((trx, nodeId) => sql`delete from notes where node_id = ${nodeId}`.execute(trx))
    expect(await violations(rule, running(run))).toEqual(
      says(/names another collection's things changed that collection's rows: notes \+0 −2/),
    )
  })

  test("a handler that changes another collection's node", async () => {
    const run = replacing((trx) => sql`update nodes set title = 'x'`.execute(trx))
    expect(await violations(rule, running(run))).toEqual(says(/run changed rows of another collection: nodes \+0 −2 /))
    const byPayload = replacing((trx, nodeId) => sql`update nodes set title = 'x' where id = ${nodeId}`.execute(trx))
    expect(await violations(rule, running(byPayload))).toEqual(
      says(/names another collection's things changed that collection's rows: nodes \+0 −1/),
    )
  })

  test('one collection arranged twice', async () => {
    const collectionNodeId = '00000000-0000-4000-8000-000000000000'
    const arrange: ConformanceOptions['arrange'] = async (...args) => ({ ...(await arrangeNotes(...args)), collectionNodeId })
    expect(await violations(rule, { arrange })).toEqual(says(/arrange returns the same collection twice/))
  })
})
