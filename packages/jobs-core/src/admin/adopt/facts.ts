/** What the catalogue says of the database, as far as adopting a queue depends on it. Everything is of the current schema. */
export interface CatalogueFacts {
  schema: string
  /** The schema in which the name job_queue is found first. */
  queueSchema: string
  relations: Relation[]
  columns: Column[]
  uniqueKeys: UniqueKey[]
  statusType: StatusType | null
  constraints: Constraint[]
  dependents: Dependent[]
  /** The host's own triggers on job_queue. */
  triggers: string[]
}

export interface Relation {
  name: string
  /** As in pg_class: r table, p partitioned, v view … */
  kind: string
  /** p permanent, u unlogged. */
  persistence: string
  /** Inherits from a table, is one's partition, or has heirs. */
  inherits: boolean
  owned: boolean
  mayReference: boolean
  /** True when row-level security hides rows from this role. */
  hidesRows: boolean
  bytes: number
}

export interface Column {
  table: string
  name: string
  /** As PostgreSQL prints it, of a domain the type below it. */
  type: string
  notNull: boolean
  default: string | null
  /** Filled by PostgreSQL itself: identity or generated. */
  automatic: boolean
  /** The labels, when its type is an enum. */
  labels: string[] | null
}

export interface UniqueKey {
  table: string
  columns: string[]
  primary: boolean
}

export interface StatusType {
  name: string
  schema: string
  /** Null when it is no enum. */
  labels: string[] | null
  owned: boolean
}

export interface Constraint {
  name: string
  /** As in pg_constraint: c check, f foreign key, p primary key, u unique, x exclusion. */
  kind: string
  definition: string
  /** The table a foreign key points to. */
  references: string | null
  columns: string[]
}

/** Something that hangs on a column of job_queue. */
export interface Dependent {
  column: string
  /** As pg_identify_object names it: index, rule, policy, trigger … */
  type: string
  name: string
}

/** What the rows say. */
export interface RowFacts {
  /** Jobs by status. */
  jobs: Record<string, number>
  /** Final jobs without a completed_at. */
  untimed: number
  /** Milliseconds since the youngest running job was started. */
  startedMsAgo: number | null
  /** Only rules that some row breaks. */
  broken: BrokenRows[]
  tenants: TenantFacts
}

/** Something every row of the new table satisfies, or is better off to. */
export interface RowRule {
  rule: string
  /** SQL that is true for a row that breaks it. */
  brokenWhere: string
  /** Reads as `3 jobs …`, `1 job …`. */
  says: string
  remedy: string
  /** A statement that mends them, where there is one. */
  sql?: string
  /** False: such rows are taken over as they are, and said in a note. */
  blocks: boolean
}

export interface BrokenRows {
  rule: RowRule
  count: number
  examples: string[]
}

export interface TenantFacts {
  hasNodes: boolean
  /** Jobs whose tenant is null; all of them where the table has none. */
  withoutTenant: number
  /** Tenants that have neither a node nor a workspace to make one from, and their jobs. */
  lostTenants: number
  lostJobs: number
  lostExamples: string[]
  /** Workspaces that have no node yet. */
  newNodes: number
  /** What the collection that was named is. */
  collectionIsNode: boolean
  collectionIsWorkspace: boolean
}
