import { ConfigurationError } from '../../errors/configuration-error.ts'
import type { Adoption, AdoptionProblem, QueueSession } from './adoption.ts'

const SHOWN_SESSIONS = 10

/**
 * Throws while something stands in the way of the adoption.
 * @throws ConfigurationError `ADOPTION_IMPOSSIBLE`, `OLD_WORKER_CONNECTED`
 */
export function refuseAdoption(adoption: Adoption, { force = false }: { force?: boolean }): void {
  if (adoption.problems.length > 0) {
    throw new ConfigurationError(
      'ADOPTION_IMPOSSIBLE',
      `This job_queue cannot be adopted yet, and has not been changed.\n${adoption.problems.map(describeProblem).join('\n')}`,
    )
  }
  if (force) return
  const signs = describeConnected(adoption)
  if (signs.length === 0) return
  throw new ConfigurationError(
    'OLD_WORKER_CONNECTED',
    `Old workers, or other programs that use the queue, may still be at work, so nothing has been changed. Stop them, or skip this check (--force, adopt.force) when you know better.\n${signs.join('\n')}`,
  )
}

/** `- 3 jobs with an empty job_type (for example …). Give them …`, and the statement below. */
export function describeProblem({ message, examples = [], remedy, sql }: AdoptionProblem): string {
  const such = examples.length > 0 ? ` (for example ${examples.join(', ')})` : ''
  return `- ${message}${such}. ${remedy}${sql ? `\n    ${sql};` : ''}`
}

/** One line for each sign that an old worker is still there. */
export function describeConnected({ connected, startedMsAgo }: Adoption): string[] {
  const lines = connected.slice(0, SHOWN_SESSIONS).map(describeSession)
  if (connected.length > SHOWN_SESSIONS) lines.push(`- and ${connected.length - SHOWN_SESSIONS} more`)
  if (connected.some(({ evidence }) => evidence === 'cannot be seen')) {
    lines.push('- To see what those do: grant pg_read_all_stats to the role that migrates.')
  }
  if (startedMsAgo !== null)
    lines.push(`- A job was started ${seconds(startedMsAgo)} ago and is running; after a minute it counts as left behind.`)
  return lines
}

function describeSession({ pid, user, application, host, quietMs, evidence }: QueueSession): string {
  const since = quietMs === null ? '' : `, quiet for ${seconds(quietMs)}`
  return `- pid ${pid} (${application ?? 'no application_name'}, role ${user}, from ${host}) ${evidence}${since}`
}

function seconds(ms: number): string {
  return `${Math.max(0, Math.round(ms / 1000))} s`
}
