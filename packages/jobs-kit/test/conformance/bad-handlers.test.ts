import { rm } from 'node:fs/promises'
import { defineJob, PermanentError, SnoozeError } from '@sidelinja/jobs-core'
import { defineHandler, type WriteTransaction } from '@sidelinja/jobs-core/worker'
import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { HandlerPackage, Services } from '../../src/index.ts'
import { type ConformanceOptions, handlerChecks, runCheck } from '../../src/testing/index.ts'
import {
  arrangeNotes,
  deleteNotes,
  goodRun,
  insertNotes,
  notesOptions,
  notesPackage,
  type PackageFiles,
  type Run,
  readLines,
  storeNotes,
  writePackage,
} from './notes.ts'

const folders: URL[] = []
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))))

/** What the rule of this name says about a handler that differs from the good one in the given ways. */
async function violations(name: string, overrides: Partial<ConformanceOptions>, files?: PackageFiles): Promise<string[]> {
  const check = handlerChecks.find((candidate) => candidate.name === name)
  if (!check) throw new Error(`no rule is called ${name}`)
  const folder = await writePackage(files)
  folders.push(folder)
  return await runCheck(check, notesOptions(folder, overrides))
}

const running = (run: Run): Partial<ConformanceOptions> => ({ package: notesPackage(run) })
const says = (...words: RegExp[]) => words.map((word) => expect.stringMatching(word))

/** A database connection beside the transaction, as a handler might smuggle one in. */
const smuggled = new WeakMap<object, WriteTransaction>()
const smuggling: ConformanceOptions['createServices'] = async (database, sandboxFolder) => {
  const services = await notesOptions(new URL('file:///')).createServices(database, sandboxFolder)
  smuggled.set(services, database.db as unknown as WriteTransaction)
  return services
}
const besides = (services: Services) => smuggled.get(services) as WriteTransaction

describe('is defined as its package says', () => {
  const rule = 'is defined as its package says'
  const definedAs = (definition: HandlerPackage['definition']): Partial<ConformanceOptions> => ({
    package: { definition, createHandler: () => defineHandler(definition, async () => ({})) },
  })

  test.each<[words: RegExp, files: PackageFiles]>([
    [/package is called @sidelinja\/notes; the type store_notes belongs in handler-store-notes/, { name: '@sidelinja/notes' }],
    [/no export ".\/job"/, { exports: { '.': 'x' } }],
    [/does not name the job type/, { readme: 'A missing file is permanent.' }],
    [/does not say which failures are permanent/, { readme: 'store_notes' }],
  ])('%s', async (words, files) => {
    expect(await violations(rule, {}, files)).toEqual(says(words))
  })

  test('another definition', async () => {
    const other = defineJob({ type: 'store_notes', payload: z.object({}) })
    const mixed = { definition: storeNotes, createHandler: () => defineHandler(other, async () => ({})) }
    expect(await violations(rule, { package: mixed })).toEqual(says(/for another definition/))
  })

  test('a timeout longer than a day', async () => {
    const definition = defineJob({ type: 'store_notes', payload: z.object({}), timeoutMs: 25 * 3_600_000 })
    expect(await violations(rule, definedAs(definition))).toEqual(says(/longer than a day/))
  })

  test('a type that is not quite snake_case', async () => {
    const definition = defineJob({ type: 'store__notes', payload: z.object({}) })
    const files = { name: 'handler-store--notes', readme: 'store__notes permanent' }
    expect(await violations(rule, definedAs(definition), files)).toEqual(says(/store__notes is not snake_case/))
  })

  test('a folder without any file', async () => {
    expect(await violations(rule, { packageFolder: new URL('file:///nowhere') })).toHaveLength(4)
  })
})

describe('refuses a bad payload before it runs', () => {
  const rule = 'refuses a bad payload before it runs'

  test('a schema that takes anything', async () => {
    const definition = defineJob({ type: 'store_notes', payload: z.any() })
    const found = await violations(rule, { package: { definition, createHandler: () => defineHandler(definition, async () => ({})) } })
    expect(found).toHaveLength(5 + 3)
    expect(found).toEqual(expect.arrayContaining(says(/accepts the bad payload null/, /accepts the bad payload \{\}/)))
  })

  test('no bad payload given', async () => {
    expect(await violations(rule, { badPayloads: [] })).toEqual(says(/badPayloads is empty/))
  })

  test('an arranged payload that is refused', async () => {
    const arrange: ConformanceOptions['arrange'] = async (...args) => ({ ...(await arrangeNotes(...args)), payload: { nodeId: 1 } })
    expect(await violations(rule, { arrange })).toEqual(says(/refuses the arranged payload \{"nodeId":1\}/))
  })
})

describe('completes, with a result that can be stored', () => {
  const rule = 'completes, with a result that can be stored'
  const answering = (result: unknown) => running(async () => ({ result: result as string }))
  const cycle: { self?: unknown } = {}
  cycle.self = cycle

  test.each<[what: string, overrides: Partial<ConformanceOptions>, words: RegExp]>([
    [
      'a handler that fails',
      running(async () => Promise.reject(new PermanentError('BAD', 'no'))),
      /the handler failed: PermanentError BAD: no/,
    ],
    ['a write that fails', running(async () => ({ write: async () => Promise.reject(new Error('no')) })), /write failed: Error: no/],
    ['a handler that leaves nothing', running(async () => ({})), /neither a result nor a row/],
    ['a Date', answering({ at: new Date() }), /as something else/],
    ['NaN', answering({ mean: Number.NaN }), /as something else/],
    ['a Map', answering(new Map([['a', 1]])), /as something else/],
    ['a NUL', answering('a\0b'), /database refuses the result/],
    ['a BigInt', answering(1n), /is no JSON/],
    ['a cycle', answering(cycle), /is no JSON/],
    ['a function', answering(() => {}), /is no JSON/],
    ['257 KiB', answering('x'.repeat(257 * 1024)), /is 263170 bytes long; at most 262144/],
  ])('%s', async (_what, overrides, words) => {
    expect(await violations(rule, overrides)).toEqual(says(words))
  })

  test('a key without a value is fine', async () => {
    expect(await violations(rule, answering({ a: undefined, b: [{ c: undefined }] }))).toEqual([])
  })
})

describe('does not begin when its signal is aborted already', () => {
  const rule = 'does not begin when its signal is aborted already'

  test('a handler without a look at its signal', async () => {
    const deaf: Run = (context, services) => goodRun({ ...context, signal: new AbortController().signal }, services)
    expect(await violations(rule, running(deaf))).toEqual(says(/returned as if nothing had happened.*before it began/))
  })

  test('a handler that hangs', async () => {
    const found = await violations(rule, { ...running(() => new Promise(() => {})), abortWithinMs: 50 })
    expect(found).toEqual(says(/went on for more than 50 ms/))
  })

  test('a handler that calls it permanent', async () => {
    const offended: Run = async ({ signal }) => {
      if (signal.aborted) throw new PermanentError('STOPPED', 'stopped')
      return {}
    }
    expect(await violations(rule, running(offended))).toEqual(says(/permanent failure \(PermanentError STOPPED: stopped\)/))
  })

  test('a handler that writes first', async () => {
    const hasty: Run = async (context, services) => {
      await insertNotes(besides(services), context.job.collectionNodeId, context.payload.nodeId, ['hasty'])
      context.signal.throwIfAborted()
      return {}
    }
    expect(await violations(rule, { ...running(hasty), createServices: smuggling })).toEqual(
      says(/wrote although it was aborted: notes \+1/),
    )
  })
})

describe('gives up soon when its signal is aborted while it runs', () => {
  const rule = 'gives up soon when its signal is aborted while it runs'
  const call = async ({ job }: Parameters<Run>[0], { collections }: Services) => {
    await collections.readSettings(job.collectionNodeId)
  }

  test('a handler that only looks at its signal once', async () => {
    const deaf: Run = async (context, services) => {
      context.signal.throwIfAborted()
      return goodRun({ ...context, signal: new AbortController().signal }, services)
    }
    expect(await violations(rule, running(deaf))).toEqual(says(/during its service call 1 of 2/, /during its service call 2 of 2/))
  })

  test('a handler that looks away after its second call', async () => {
    const inattentive: Run = async (context, services) => {
      await call(context, services)
      context.signal.throwIfAborted()
      await call(context, services)
      return {}
    }
    expect(await violations(rule, running(inattentive))).toEqual(says(/during its service call 2 of 2/))
  })

  test('a handler that hangs after its call', async () => {
    const hanging: Run = async (context, services) => {
      await call(context, services)
      if (context.signal.aborted) await new Promise(() => {})
      return {}
    }
    expect(await violations(rule, { ...running(hanging), abortWithinMs: 50 })).toEqual(
      says(/more than 50 ms after its signal was aborted during its service call 1 of 1/),
    )
  })

  test('of a hundred calls twelve are tried', async () => {
    const chatty: Run = async (context, services) => {
      for (let i = 0; i < 100; i++) await call(context, services)
      return {}
    }
    const found = await violations(rule, running(chatty))
    expect(found).toHaveLength(12)
    expect([found[0], found[11]]).toEqual(says(/call 1 of 100/, /call 100 of 100/))
  })
})

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

describe('completes on its first attempt in a worker', () => {
  const rule = 'completes on its first attempt in a worker'

  test.each<[what: string, run: Run, words: RegExp]>([
    ['a handler that fails', async () => Promise.reject(new PermanentError('BAD', 'no')), /After its first attempt the job is error: no$/],
    ['a handler that comes back later', async () => Promise.reject(new SnoozeError(60_000, 'busy')), /the job is pending/],
    [
      'a write that commits',
      async () => ({
        write: async (trx) => {
          await sql`commit`.execute(trx)
        },
      }),
      /the job is error: write\(trx\) committed/,
    ],
    [
      'a write that goes on after a failed statement',
      async () => ({
        write: async (trx) => {
          await sql`select 1 / 0`.execute(trx).catch(() => {})
        },
      }),
      /the job is retry: .*current transaction is aborted/,
    ],
  ])('%s', async (_what, run, words) => {
    expect(await violations(rule, running(run))).toEqual(says(words))
  })
})

test('every rule has been broken above, and all rules have a name of their own', async () => {
  expect(handlerChecks.map(({ name }) => name)).toMatchInlineSnapshot(`
    [
      "is defined as its package says",
      "refuses a bad payload before it runs",
      "completes, with a result that can be stored",
      "does not begin when its signal is aborted already",
      "gives up soon when its signal is aborted while it runs",
      "writes nothing unless the job completes",
      "writes rows of its own collection only",
      "leaves other collections' rows as they are",
      "leaves no doubles when it runs again",
      "completes on its first attempt in a worker",
    ]
  `)
})
