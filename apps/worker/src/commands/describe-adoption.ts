import { type Adoption, type AdoptionStep, describeConnected, describeProblem } from '@sidelinja/jobs-core/admin'

/**
 * What a dry run prints: what was found, the steps, how long the queue is locked, and what is in the way.
 * @param differences what handlers will miss in the host's tables, as sentences.
 */
export function describeAdoption(adoption: Adoption, differences: readonly string[]): string[] {
  const { problems, notes } = adoption
  const connected = describeConnected(adoption)
  return [
    ...describeQueue(adoption),
    ...describeSteps(adoption),
    ...section('Good to know', bullets([...notes, ...differences])),
    ...section('In the way now: programs that use the queue', connected),
    ...section('In the way: to be solved first', problems.map(describeProblem)),
    '',
    `Nothing has been changed. ${verdict(problems.length > 0, connected.length > 0)}`,
  ]
}

function describeQueue({ shape, jobs, bytes }: Adoption): string[] {
  const total = Object.values(jobs).reduce((sum, count) => sum + count, 0)
  const counts = Object.entries(jobs).map(([status, count]) => `${status} ${count}`)
  const tenant = shape === 'no tenant' ? 'Its jobs have no tenant column.' : `Its jobs’ tenant is ${shape}.`
  return [
    `There is a job_queue that was not made by these migrations. ${tenant}`,
    `${total} jobs${counts.length > 0 ? ` (${counts.join(', ')})` : ''} in ${megabytes(bytes)}; about as much again must be free on the disk.`,
  ]
}

function describeSteps({ steps, lockedMs }: Adoption): string[] {
  const of = (part: AdoptionStep['part'], title: string) => {
    const lines = steps.filter((step) => step.part === part).map((step) => `  ${describeStep(step)}`)
    return lines.length > 0 ? [title, ...lines] : []
  }
  const locked = `ACCESS EXCLUSIVE on job_queue: for about ${duration(lockedMs)} nobody else reads or writes it`
  const lines = [
    ...of('before', 'First, each on its own:'),
    ...of('takeover', `Then all at once, in one transaction, under ${locked}:`),
    ...of('after', 'Then, each on its own, while jobs are enqueued and run:'),
  ]
  if (lines.length === 0) return []
  return section('Steps', [
    ...lines,
    'A lock that is not free in time (2 s for the whole, 200 ms for nodes) is let go and tried again, up to 50 times.',
  ])
}

function describeStep({ name, does, part, lock, blocks, rows, estimateMs }: AdoptionStep): string {
  const waits = { nothing: '', writing: ', for an instant against writing', everything: ', for an instant' }[blocks]
  return [
    `${name.padEnd(38)} ${does}`,
    ...(rows > 0 ? [`${rows === 1 ? '1 row' : `${rows} rows`}, about ${duration(estimateMs)}`] : []),
    ...(lock && part !== 'takeover' ? [`${lock}${waits}`] : []),
  ].join('; ')
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', title, ...lines.map((line) => (line === '' ? '' : `  ${line.replaceAll('\n', '\n  ')}`))]
}

function bullets(lines: readonly string[]): string[] {
  return lines.map((line) => `- ${line}`)
}

function verdict(blocked: boolean, connected: boolean): string {
  if (blocked) return 'Without --dry-run this would be refused.'
  return connected
    ? 'Without --dry-run this would be refused until they are gone, or given --force.'
    : 'Run it again without --dry-run to adopt.'
}

function duration(ms: number): string {
  return ms < 1000 ? 'a second' : `${Math.ceil(ms / 1000)} s`
}

function megabytes(bytes: number): string {
  return `${Math.max(1, Math.round(bytes / 1e6))} MB`
}
