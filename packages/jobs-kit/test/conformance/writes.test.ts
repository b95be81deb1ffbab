import type { WriteTransaction } from '@sidelinja/jobs-core/worker'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { deleteNotes, goodRun, insertNotes, type Run, readLines } from './notes.ts'
import { besides, running, says, smuggling, violations } from './violations.ts'

describe('writes nothing unless the job completes', () => {
  const rule = 'writes nothing unless the job completes'
  const note = (trx: WriteTransaction, { job, payload }: Parameters<Run>[0]) =>
    insertNotes(trx, job.collectionNodeId, payload.nodeId, ['x'])

  test('a handler that writes outside of write', async () => {
    const early: Run = async (context, services) => {
      await note(besides(services), context)
      return {}
    }
    expect(await violations(rule, { ...running(early), createServices: smuggling })).toEqual(
      says(/writes before its write is called: notes \+1 −0/),
    )
  })

  test('a write on another connection', async () => {
    const astray: Run = async (context, services) => ({ write: () => note(besides(services), context) })
    expect(await violations(rule, { ...running(astray), createServices: smuggling })).toEqual(
      says(/does not use \(only\) that transaction: notes \+1/),
    )
  })

  test('a write that commits', async () => {
    const wilful: Run = async (context) => ({
      write: async (trx) => {
        await note(trx, context)
        await sql`commit`.execute(trx)
      },
    })
    expect(await violations(rule, running(wilful))).toEqual(says(/does not use \(only\) that transaction: notes \+1/))
  })

  test('a handler that remembers the first attempt', async () => {
    let attempts = 0
    const forgetless: Run = async (context, services) => {
      attempts++
      if (attempts > 1) throw new Error('once only')
      return goodRun(context, services)
    }
    expect(await violations(rule, running(forgetless))).toEqual(
      says(/attempt after a failed one does not complete: the handler failed: Error: once only/),
    )
  })
})

describe('leaves no doubles when it runs again', () => {
  const rule = 'leaves no doubles when it runs again'

  test('a handler that only adds', async () => {
    const adding: Run = async (context, services) => {
      const lines = await readLines(context, services)
      return { write: (trx) => insertNotes(trx, context.job.collectionNodeId, context.payload.nodeId, lines) }
    }
    expect(await violations(rule, running(adding))).toEqual(says(/After the second run the tables differ: notes \+2 −0/))
  })

  test('a handler that fails the second time', async () => {
    const once: Run = async (context) => ({
      write: async (trx) => {
        await sql`create table second_run_fails ()`.execute(trx)
        await deleteNotes(trx, context.job.collectionNodeId, context.payload.nodeId)
      },
    })
    expect(await violations(rule, { ...running(once), ignoreColumns: [] })).toEqual(
      says(/second run does not complete: write failed: .*second_run_fails/),
    )
  })

  test('generated ids differ unless they are left out, by a name that exists', async () => {
    expect(await violations(rule, { ignoreColumns: [] })).toEqual(says(/After the second run the tables differ: notes \+2 −2/))
    expect(await violations(rule, { ignoreColumns: ['notes.id', 'notes.ID', 'id'] })).toEqual(says(/names notes\.ID, but/, /names id, but/))
  })
})
