/** Keeps a second job of the same work out of the queue. */
export interface UniqueOptions {
  /** Names the work: at most one job of this collection and type holds the key. 1 … 512 characters. */
  key: string
  /** Until when the job holds it: `claimed` (default), when its run starts, or `finished`, when it reaches a final status. */
  until?: 'claimed' | 'finished'
  /**
   * What happens when the key is held: `keep` (default) leaves the holder alone; `replace` gives a waiting holder the new payload,
   * priority and maxAttempts; `debounce` also starts its time anew. A running holder is always kept.
   */
  onConflict?: 'keep' | 'replace' | 'debounce'
}

/** What is said about one job beside its payload. */
export interface EnqueueOptions {
  /** The tenant: the node the job belongs to, a uuid. */
  collectionNodeId: string
  /** −32768 … 32767, higher first. Default: the definition's. */
  priority?: number | undefined
  /** Not before this time. Default: now; a time gone by counts as now. */
  scheduledFor?: Date | undefined
  /** 1 … 32767. Default: the definition's. */
  maxAttempts?: number | undefined
  /** Ties jobs of one piece of work together, 1 … 200 characters. */
  correlationId?: string | undefined
  /** At most one such job at a time. */
  unique?: UniqueOptions | undefined
}

/** Which job there is now, and whether this call made it. */
export interface EnqueueResult {
  /** The new job, or with `kept` and `replaced` the one that holds the unique key. */
  id: string
  outcome: 'created' | 'kept' | 'replaced'
}

/** One job as the SQL functions take it. */
export interface NewJob {
  collectionNodeId: string
  type: string
  payloadJson: string
  priority: number | null
  scheduledFor: Date | null
  maxAttempts: number | null
  uniqueKey: string | null
  uniqueUntil: string | null
  onConflict: string | null
  correlationId: string | null
}
