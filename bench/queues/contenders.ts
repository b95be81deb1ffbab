import type { Contender } from './contender.ts'

/** Where each contender is, by name. The others lie in a root of their own, which need not be installed. */
const modules = {
  'sidelinja default': './sidelinja.ts',
  sidelinja: './sidelinja.ts',
  'graphile-worker default': '../rivals/graphile-worker.ts',
  'graphile-worker': '../rivals/graphile-worker.ts',
  'pg-boss default': '../rivals/pg-boss.ts',
  'pg-boss': '../rivals/pg-boss.ts',
  'bullmq default': '../rivals/bullmq.ts',
  bullmq: '../rivals/bullmq.ts',
} as const

/** A queue's name alone means its fastest documented configuration. */
export type ContenderName = keyof typeof modules

export const allContenders = Object.keys(modules) as ContenderName[]
export const fastest = ['sidelinja', 'graphile-worker', 'pg-boss', 'bullmq'] as const satisfies readonly ContenderName[]

export async function loadContender(name: ContenderName): Promise<Contender> {
  // By a name that is made here: what is not installed is not looked for.
  const { contender } = (await import(new URL(modules[name], import.meta.url).href)) as { contender(isDefault: boolean): Contender }
  return contender(name.endsWith(' default'))
}
