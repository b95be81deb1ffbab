import type { TestDatabase } from '@sidelinja/jobs-core/testing'
import { users } from './seeds.ts'

/** What people have done to a queue that is seeded: actions in the log, and a group of errors that is set aside. */
export async function seedPeople(database: TestDatabase): Promise<void> {
  await database.query(
    `insert into job_audit (actor, action, outcome, code, job_id, job_type, collection_node_id, status_before, status_after, reason, acted_at)
     select $1, case when n % 3 = 0 then 'cancel' else 'retry' end, case when n % 4 = 3 then 'refused' else 'applied' end,
       case when n % 4 = 3 then 'JOB_NOT_RETRYABLE' end, q.id, q.job_type, q.collection_node_id, q.status::text,
       case when n % 4 = 3 then q.status::text else 'pending' end, case when n % 2 = 0 then 'Tjenesten er oppe igjen.' end, now() - n * interval '7 minutes'
     from (select *, row_number() over (order by created_at desc) as n from job_queue where status = 'error' limit 9) q order by n desc`,
    [users.kari],
  )
  await database.query(
    `insert into job_ignored_errors (collection_node_id, job_type, error_group, more, ignored_by, ignored_at)
     select collection_node_id, job_type, error_group, 10, $1, now() - interval '3 minutes' from job_queue
     where status = 'error' and job_type = 'ai_text_process' group by 1, 2, 3`,
    [users.kari],
  )
}
