import type { AdoptionProblem } from './adoption.ts'
import { column, columnsOf, columnsToNarrow, narrowed, relation, shapeOf } from './catalogue.ts'
import { addedColumns, addedRelations, originalColumns, ourConstraints } from './expected-columns.ts'
import type { CatalogueFacts } from './facts.ts'
import { findStatusProblems } from './find-status-problems.ts'

/** What in the table's own form stands in the way of adopting it. */
export function findTableProblems(facts: CatalogueFacts): AdoptionProblem[] {
  const place = findPlaceProblems(facts)
  if (place.length > 0) return place
  return [
    ...findRightsProblems(facts),
    ...findColumnProblems(facts),
    ...findStatusProblems(facts),
    ...findKeyProblems(facts),
    ...findStrangeColumns(facts),
    ...findTakenNames(facts),
    ...findDependentProblems(facts),
  ]
}

function findPlaceProblems({ schema, queueSchema, relations }: CatalogueFacts): AdoptionProblem[] {
  if (queueSchema !== schema) {
    const message = `job_queue lies in the schema ${queueSchema}, but migrations make their tables in ${schema}`
    return [{ rule: 'queue-elsewhere', message, remedy: `Put ${queueSchema} first: set search_path for the role that migrates.` }]
  }
  const queue = relations.find(({ name }) => name === 'job_queue')
  if (queue?.kind !== 'r' || queue.inherits) {
    const message = 'job_queue is not an ordinary table (a view, partitioned, foreign, or part of an inheritance)'
    return [{ rule: 'queue-not-a-table', message, remedy: 'Copy its rows into an ordinary table of that name.' }]
  }
  return []
}

function findRightsProblems(facts: CatalogueFacts): AdoptionProblem[] {
  const problems: AdoptionProblem[] = []
  const queue = relation(facts, 'job_queue')
  if (queue?.owned === false) {
    problems.push({ rule: 'not-owner', message: 'this role does not own job_queue', remedy: 'Run migrate as its owner.' })
  }
  const hidden = ['job_queue', 'nodes', 'workspaces'].filter((name) => relation(facts, name)?.hidesRows)
  if (hidden.length > 0) {
    const message = `row-level security hides rows of ${hidden.join(', ')} from this role, so not all jobs can be looked at`
    problems.push({ rule: 'row-security', message, remedy: 'Run migrate as a role with BYPASSRLS.' })
  }
  if (queue?.persistence === 'u') {
    const message = 'job_queue is unlogged: a crash of the server empties it'
    problems.push({ rule: 'queue-unlogged', message, remedy: 'Make it an ordinary one.', sql: 'alter table job_queue set logged' })
  }
  return problems
}

function findColumnProblems(facts: CatalogueFacts): AdoptionProblem[] {
  return Object.entries(originalColumns).flatMap(([name, types]): AdoptionProblem[] => {
    const found = column(facts, 'job_queue', name)
    if (!found) {
      const message = `job_queue has no column ${name}`
      return [{ rule: 'column-missing', message, remedy: 'Add it.', sql: `alter table job_queue add column ${name} ${types[0]}` }]
    }
    if (name === 'status' || types.includes(found.type)) return []
    const message = `job_queue.${name} is ${found.type}; ${types.join(', ')} can be taken over`
    return [{ rule: 'column-type', message, ...conversion(name, found.type, types[0] as string) }]
  })
}

function conversion(name: string, from: string, to: string): Pick<AdoptionProblem, 'remedy' | 'sql'> {
  const alter = `alter table job_queue alter column ${name} type ${to} using ${name}`
  if (from !== 'timestamp without time zone') return { remedy: 'Change it.', sql: `${alter}::${to}` }
  return { remedy: 'Change it, naming the zone in which the old worker wrote its times.', sql: `${alter} at time zone 'UTC'` }
}

function findKeyProblems({ uniqueKeys }: CatalogueFacts): AdoptionProblem[] {
  const isKey = uniqueKeys.some(({ table, columns }) => table === 'job_queue' && columns.join() === 'id')
  if (isKey) return []
  return [
    { rule: 'id-not-key', message: 'job_queue.id is not a key', remedy: 'Make it one.', sql: 'alter table job_queue add primary key (id)' },
  ]
}

/** Columns of the host's own: kept, unless their name is taken or nothing would fill them. */
function findStrangeColumns(facts: CatalogueFacts): AdoptionProblem[] {
  const tenant = shapeOf(facts)
  const strange = columnsOf(facts, 'job_queue').filter(({ name }) => originalColumns[name] === undefined && name !== tenant)
  return strange.flatMap(({ name, notNull, automatic, default: value }): AdoptionProblem[] => {
    if ((addedColumns as readonly string[]).includes(name)) {
      const message = `job_queue has a column ${name} of its own; the queue keeps something else under that name`
      return [{ rule: 'column-taken', message, remedy: 'Rename it.', sql: `alter table job_queue rename column ${name} to old_${name}` }]
    }
    if (!notNull || automatic || value !== null) return []
    const message = `job_queue.${name} must be given for every job, and enqueue does not know it`
    const sql = `alter table job_queue alter column ${name} drop not null`
    return [{ rule: 'column-required', message, remedy: 'Let it be null, or give it a default.', sql }]
  })
}

function findTakenNames(facts: CatalogueFacts): AdoptionProblem[] {
  const taken = addedRelations.filter((name) => relation(facts, name))
  const constraints = facts.constraints.filter(({ name, definition }) => {
    const ours = ourConstraints[name]
    return ours !== undefined && ours !== definition.replace(' NOT VALID', '')
  })
  return [
    ...taken.map((name) => ({
      rule: 'name-taken',
      message: `there is something called ${name} already`,
      remedy: 'Rename it or remove it.',
    })),
    ...constraints.map(({ name, definition }) => ({
      rule: 'constraint-taken',
      message: `the constraint ${name} means something else here: ${definition}`,
      remedy: 'Rename it.',
      sql: `alter table job_queue rename constraint ${name} to ${name}_old`,
    })),
  ]
}

/** PostgreSQL changes no type below a view, policy, trigger or generated column. */
function findDependentProblems(facts: CatalogueFacts): AdoptionProblem[] {
  const narrow = columnsToNarrow(facts)
  if (narrow.length === 0) return []
  const inTheWay = facts.dependents.filter((it) => narrowed[it.column] !== undefined && !/index|constraint|statistics/.test(it.type))
  const names = [...new Set(inTheWay.map(({ type, name }) => `${type} ${name}`))]
  return names.map((name) => ({
    rule: 'column-in-use',
    message: `the type of ${narrow.join(', ')} has to change, which ${name} forbids`,
    remedy: 'Drop it, adopt, and make it again.',
  }))
}
