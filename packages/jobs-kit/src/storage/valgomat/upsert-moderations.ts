import { sql } from 'kysely'
import { type StorageDatabase, withTables } from '../storage-database.ts'

/** What is suggested about one question. */
export interface NewModeration {
  readonly questionId: string
  readonly original: string
  /** Null: it is neutral, or no wording was found that leaves the stance where it is. */
  readonly neutralText: string | null
  readonly changes: readonly string[]
  readonly flags: readonly string[]
  readonly verdict: 'ok' | 'rewrite' | 'reject'
  /** The first of the questions that ask the same. */
  readonly clusterOf: string
  /** A statement that says the same. */
  readonly duplicateOf: string | null
  readonly similarity: number | null
  /** What asks the same from the other side. */
  readonly opposites: readonly string[]
}

/** Suggestions of one job. */
export interface NewModerations {
  readonly jobId: string | null
  /** The model's alias. */
  readonly model: string
  readonly promptVersion: string
  /** Each question once. */
  readonly questions: readonly NewModeration[]
}

/**
 * Stores what is suggested about questions, in place of older suggestions. What a person has decided stays, unless the question has another text since. Questions that are gone are left out.
 * @returns how many were stored.
 */
export async function upsertModerations(
  trx: StorageDatabase,
  collectionNodeId: string,
  { jobId, model, promptVersion, questions }: NewModerations,
): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into valgomat_moderations (collection_node_id, question_node_id, original, neutral_text, changes, flags, verdict, cluster_node_id, duplicate_of,
      similarity, opposites, model, prompt_version, job_id)
    select ${collectionNodeId}::uuid, q."questionId", q.original, q."neutralText", q.changes, q.flags, q.verdict, q."clusterOf",
      (select n.id from nodes n where n.id = q."duplicateOf"), q.similarity, q.opposites, ${model}, ${promptVersion}, ${jobId}::uuid
    from json_to_recordset(${JSON.stringify(questions)}::json) as q ("questionId" uuid, original text, "neutralText" text, changes text[], flags text[], verdict text,
      "clusterOf" uuid, "duplicateOf" uuid, similarity real, opposites uuid[])
    join (select id from nodes where id = any (${questions.map(({ questionId }) => questionId)}::uuid[]) order by id for key share) there on there.id = q."questionId"
    order by q."questionId"
    on conflict (collection_node_id, question_node_id) do update
    set original = excluded.original, neutral_text = excluded.neutral_text, changes = excluded.changes, flags = excluded.flags, verdict = excluded.verdict,
      cluster_node_id = excluded.cluster_node_id, duplicate_of = excluded.duplicate_of, similarity = excluded.similarity, opposites = excluded.opposites,
      model = excluded.model, prompt_version = excluded.prompt_version, job_id = excluded.job_id, updated_at = clock_timestamp(),
      state = 'suggested', wording = null, decided_by = null, decided_at = null
    where valgomat_moderations.state = 'suggested' or valgomat_moderations.original <> excluded.original`.execute(withTables(trx))
  return Number(numAffectedRows ?? 0n)
}
