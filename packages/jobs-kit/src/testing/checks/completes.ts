import { isDeepStrictEqual } from 'node:util'
import type { Bench, Check } from '../conformance.ts'
import { commit, describeError, runOnce } from '../run-once.ts'
import { compareSnapshots } from '../snapshot.ts'

const MAX_RESULT_BYTES = 256 * 1024

/** The arranged job does what it is for, and what it answers can be stored and read back as it was. */
export const completesCheck: Check = {
  name: 'completes, with a result that can be stored',
  async run(bench: Bench) {
    const arranged = await bench.arrange()
    const before = await bench.snapshot()
    const run = await runOnce(bench.handler, arranged)
    const failure = await commit(bench.database, run)
    if (failure !== undefined) return [`The arranged job does not complete: ${failure}.`]
    const result = run.ended === 'returned' ? run.returned.result : undefined
    const changes = compareSnapshots(before, await bench.snapshot())
    if (result === undefined && changes.length === 0) return ['The job leaves neither a result nor a row: arrange one that does something.']
    return await storageProblems(bench, result)
  },
}

async function storageProblems({ database }: Bench, result: unknown): Promise<string[]> {
  if (result === undefined) return []
  const json = toJson(result)
  if (json === undefined) return ['The result is no JSON: it holds a cycle, a BigInt or a function.']
  const bytes = Buffer.byteLength(json)
  if (bytes > MAX_RESULT_BYTES) return [`The result is ${bytes} bytes long; at most ${MAX_RESULT_BYTES} are stored.`]
  try {
    const { rows } = await database.pool.query<{ stored: unknown }>('select $1::jsonb as stored', [json])
    if (isDeepStrictEqual(rows[0]?.stored, withoutUndefined(result))) return []
    return [`The result comes back from the database as something else (a Date, NaN, a class …?): ${json.slice(0, 200)}`]
  } catch (error) {
    return [`The database refuses the result (a NUL character?): ${describeError(error)}`]
  }
}

function toJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value)
  } catch {
    return undefined
  }
}

/** Keys whose value is undefined are left out of JSON, which is what they mean. */
function withoutUndefined(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutUndefined)
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, item]) => item !== undefined)
      .map(([key, item]) => [key, withoutUndefined(item)]),
  )
}
