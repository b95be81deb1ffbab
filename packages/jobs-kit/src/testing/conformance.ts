import type { JsonValue } from '@sidelinja/jobs-core'
import type { TestDatabase, TestServer } from '@sidelinja/jobs-core/testing'
import type { Handler } from '@sidelinja/jobs-core/worker'
import type { HandlerPackage, Services } from '../services.ts'
import type { Snapshot } from './snapshot.ts'

/** A job that could be enqueued, with everything it reads in place. */
export interface Arranged {
  /** The collection the job belongs to: a new one each time. */
  collectionNodeId: string
  payload: JsonValue
  /** The job's id, where rows come from it: rules that run one job twice keep it. Default: another one for each run. */
  jobId?: string
}

/** What the conformance suite must know about a handler. */
export interface ConformanceOptions {
  /** The handler package's default export. */
  package: HandlerPackage
  /** Folder of the package, where package.json and README.md lie: `new URL('..', import.meta.url)`. */
  packageFolder: URL
  /** Where the suite makes its database: `inject('server')`. */
  server: TestServer
  /**
   * The services the handler takes; others may be left out. Files of the job lie in the sandbox folder, which is empty and new for
   * each rule.
   */
  createServices: (database: TestDatabase, sandboxFolder: string) => Partial<Services> | Promise<Partial<Services>>
  /**
   * Makes a collection and what one job of it reads, and says which job. Called more than once on one database: every call makes a
   * new collection. The job must leave a result or rows, or the suite would prove nothing.
   */
  arrange: (database: TestDatabase, sandboxFolder: string) => Promise<Arranged>
  /** Payloads the definition must refuse: at least one. What no handler takes (null, a list, a text …) is added. */
  badPayloads: readonly unknown[]
  /**
   * Columns (`table.column`) that may differ after a second, equal run: times and generated ids. Default none.
   */
  ignoreColumns?: readonly string[]
  /** Tables that services write on their own account, whatever becomes of the job (records of paid calls). Default none. */
  ignoreTables?: readonly string[]
  /** How long a handler may take to give up after its signal was aborted, in milliseconds. Default 2,000. */
  abortWithinMs?: number
}

/** One rule's workplace: a database, a fresh folder, the handler built on both. */
export interface Bench {
  readonly options: ConformanceOptions
  readonly database: TestDatabase
  readonly services: Services
  readonly handler: Handler
  arrange(): Promise<Arranged>
  /** Every row of every table that is not the queue's own, without the columns given (`table.column`). */
  snapshot(ignoreColumns?: readonly string[]): Promise<Snapshot>
}

/** One rule every handler keeps. */
export interface Check {
  /** What the handler does, as the name of a test. */
  readonly name: string
  /** Says how the handler breaks the rule, in sentences; none when it keeps it. */
  readonly run: (bench: Bench) => Promise<string[]>
}
