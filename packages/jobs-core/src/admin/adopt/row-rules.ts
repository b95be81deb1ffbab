import type { Column, RowRule } from './facts.ts'

const unfinished = `status::text in ('pending', 'retry', 'running')`
const largePayload = 'octet_length(payload::text) > 131072'
const largeResult = 'octet_length(result::text) > 524288'
const known = `('pending', 'running', 'completed', 'error', 'retry', 'cancelled')`

/** What a null becomes, where that can be said without knowing the application. */
const fillIns: Record<string, string | null> = {
  job_type: null,
  payload: null,
  status: null,
  priority: '0',
  attempts: '0',
  max_attempts: '3',
  created_at: 'coalesce(started_at, completed_at, now())',
  scheduled_for: 'coalesce(created_at, now())',
}

const rules: readonly RowRule[] = [
  {
    ...{ rule: 'job-type-empty', brokenWhere: `job_type = ''`, says: 'with an empty job_type', blocks: true },
    ...orDelete('Give them their type', `job_type = ''`),
  },
  {
    ...{ rule: 'status-unknown', brokenWhere: `status::text not in ${known}`, blocks: true },
    says: `with a status other than ${known.slice(1, -1).replaceAll("'", '')}`,
    remedy: 'Give them one of these.',
    sql: `update job_queue set status = 'error' where status::text not in ${known}`,
  },
  integerRule('priority', -32768),
  integerRule('attempts', 0),
  integerRule('max_attempts', 1),
  {
    ...{ rule: 'payload-large', brokenWhere: `${unfinished} and ${largePayload}`, blocks: true },
    says: 'not finished, with a payload of more than 128 KiB',
    ...orDelete('Put what is large where a path or an id can point to it', `${unfinished} and ${largePayload}`),
  },
  {
    ...{ rule: 'result-large', brokenWhere: `${unfinished} and ${largeResult}`, blocks: true },
    says: 'not finished, with a result of more than 512 KiB left from an earlier attempt',
    remedy: 'Remove it.',
    sql: `update job_queue set result = null where ${unfinished} and ${largeResult}`,
  },
  {
    ...{ rule: 'finished-payload-large', brokenWhere: `not (${unfinished}) and ${largePayload}`, blocks: false },
    says: 'finished, with a payload of more than 128 KiB',
    remedy: 'They are kept as they are and job_queue_payload_size stays NOT VALID; to retry one, make its payload smaller first.',
  },
  {
    ...{ rule: 'finished-result-large', brokenWhere: `not (${unfinished}) and ${largeResult}`, blocks: false },
    says: 'finished, with a result of more than 512 KiB',
    remedy: 'They are kept as they are and job_queue_result_size stays NOT VALID; to retry one, make its result smaller first.',
  },
]

/** The rules a table with these columns can break. */
export function rowRules(columns: readonly Column[]): RowRule[] {
  const nullable = columns.filter((column) => !column.notNull && column.name in fillIns)
  return [...nullable.map(({ name }) => nullRule(name)), ...rules]
}

function nullRule(column: string): RowRule {
  const value = fillIns[column]
  const brokenWhere = `${column} is null`
  return {
    ...{ rule: `${column.replaceAll('_', '-')}-null`, brokenWhere, says: `without ${column}`, blocks: true },
    ...(value
      ? { remedy: 'Give them one.', sql: `update job_queue set ${column} = ${value} where ${brokenWhere}` }
      : orDelete('Give them one', brokenWhere)),
  }
}

function integerRule(column: string, min: number): RowRule {
  const brokenWhere = `${column} not between ${min} and 32767`
  return {
    ...{ rule: `${column.replaceAll('_', '-')}-range`, brokenWhere, says: `with ${column} outside ${min} to 32767`, blocks: true },
    remedy: 'Bring them into it.',
    sql: `update job_queue set ${column} = least(greatest(${column}, ${min}), 32767) where ${brokenWhere}`,
  }
}

function orDelete(remedy: string, where: string): Pick<RowRule, 'remedy' | 'sql'> {
  return { remedy: `${remedy}, or delete them.`, sql: `delete from job_queue where ${where}` }
}
