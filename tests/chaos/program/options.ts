import { parseArgs } from 'node:util'
import { allFaults } from '../faults/all-faults.ts'

export interface ChaosOptions {
  short: boolean
  seed: number
  /** Names of faults. */
  only: readonly string[]
  /** Does again what an earlier run with this seed has done. */
  fresh: boolean
}

export const usage = `npm run chaos -- [--short] [--seed N] [--only fault[,fault]] [--fresh]
  --short   a few of each fault, within a minute
  --seed    the same faults again; by default the date, as 20261130
  --only    ${allFaults.map(({ name }) => name).join(', ')}
  --fresh   does again what an earlier run of the full form with this seed has done`

/** @throws Error in one sentence when an argument is wrong. */
export function parseOptions(args: string[], today: Date): ChaosOptions {
  const { values } = parseArgs({
    args,
    options: { short: { type: 'boolean' }, seed: { type: 'string' }, only: { type: 'string' }, fresh: { type: 'boolean' } },
  })
  const seed = Number(values.seed ?? today.toISOString().slice(0, 10).replaceAll('-', ''))
  if (!Number.isSafeInteger(seed) || seed < 0) throw new Error(`--seed takes a whole number, got ${values.seed}.`)
  const names = allFaults.map(({ name }) => name)
  const only = values.only?.split(',') ?? names
  const unknown = only.filter((name) => !names.includes(name))
  if (unknown.length > 0) throw new Error(`--only: there is no ${unknown.join(', ')}. There is ${names.join(', ')}.`)
  return { short: values.short ?? false, seed, only, fresh: values.fresh ?? false }
}
