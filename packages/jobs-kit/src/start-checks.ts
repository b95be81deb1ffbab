import { ConfigurationError, isJobsError } from '@sidelinja/jobs-core'

/**
 * Says whether something is there. `needed` begins a sentence: `srt_parse needs`.
 * @returns a sentence for the log, where there is something to tell.
 * @throws ConfigurationError when it is missing.
 */
// biome-ignore lint/suspicious/noConfusingVoidType: most checks have nothing to tell.
export type StartCheck = (needed: string) => Promise<string | void>

/** Where a check looks. This machine comes first, so that a database that is away does not hide what is wrong here. */
type Place = 'machine' | 'database'

interface Need {
  readonly place: Place
  readonly check: StartCheck
  /** The job types of the handlers that took it; none where nobody said which. */
  readonly types: Set<string>
}

/** What handlers have taken from services, and whether it is there. */
export interface StartChecks {
  /** Notes what a handler of a job type took; again and again is the same. */
  need(name: string, type: string | undefined, place: Place, check: StartCheck): void
  /**
   * @returns what checks had to tell, in sentences.
   * @throws ConfigurationError about everything that is missing; else the first other error.
   */
  runAll(): Promise<string[]>
}

export function createStartChecks(): StartChecks {
  const needs = new Map<string, Need>()
  return Object.freeze({
    need(name: string, type: string | undefined, place: Place, check: StartCheck) {
      const { types } = needs.get(name) ?? { types: new Set<string>() }
      if (type !== undefined) types.add(type)
      needs.set(name, { place, check, types })
    },
    async runAll() {
      const told: string[] = []
      for (const place of ['machine', 'database'] as const) {
        told.push(...(await runTogether([...needs.values()].filter((need) => need.place === place))))
      }
      return told
    },
  })
}

async function runTogether(needs: readonly Need[]): Promise<string[]> {
  const outcomes = await Promise.allSettled(needs.map(({ check, types }) => check(beginSentence([...types]))))
  const errors = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
  const missing = errors.filter((error) => isJobsError(error, 'configuration'))
  if (missing.length > 1) throw several(missing)
  if (errors.length > 0) throw missing[0] ?? errors[0]
  return outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' && outcome.value ? [outcome.value] : []))
}

function several(missing: readonly Error[]): ConfigurationError {
  const list = missing.map(({ message }) => `\n- ${message}`).join('')
  return new ConfigurationError('SERVICES_MISSING', `${missing.length} things are missing:${list}`, { cause: new AggregateError(missing) })
}

function beginSentence(types: readonly string[]): string {
  const last = types.at(-1)
  if (last === undefined) return 'A handler of this build needs'
  return types.length === 1 ? `${last} needs` : `${types.slice(0, -1).join(', ')} and ${last} need`
}
