import type { PoolClient } from 'pg'
import type { QueueShape } from './adoption.ts'
import type { TenantFacts } from './facts.ts'

export interface TenantQuestion {
  shape: QueueShape
  /** Which of the tables exist. */
  nodes: boolean
  workspaces: boolean
  /** The collection that was named. */
  collectionNodeId: string | undefined
}

const none = '(select null::uuid as id limit 0)'

/** Reads the whole table once: how its tenants stand to nodes and workspaces. */
export async function readTenants(client: PoolClient, question: TenantQuestion): Promise<TenantFacts> {
  const { rows } = await client.query<TenantFacts>(query(question), [question.collectionNodeId ?? null])
  return rows[0] as TenantFacts
}

function query({ shape, nodes, workspaces }: TenantQuestion): string {
  return `
    with tenants as (
      select ${shape === 'no tenant' ? 'null::uuid' : shape} as id, count(*) as jobs from job_queue group by 1),
    node as (select id from ${nodes ? 'nodes' : none} n),
    workspace as (select id from ${shape === 'workspace_id' && workspaces ? 'workspaces' : none} w),
    lost as (
      select t.id, t.jobs from tenants t
      where t.id is not null and not exists (select from node n where n.id = t.id)
        and not exists (select from workspace w where w.id = t.id))
    select exists (select from node) as "hasNodes",
      coalesce((select jobs from tenants where id is null), 0)::float8 as "withoutTenant",
      (select count(*) from lost)::float8 as "lostTenants",
      coalesce((select sum(jobs) from lost), 0)::float8 as "lostJobs",
      array(select id::text from lost order by jobs desc, id limit 3) as "lostExamples",
      (select count(*) from workspace w where not exists (select from node n where n.id = w.id))::float8 as "newNodes",
      exists (select from node where id = $1::uuid) as "collectionIsNode",
      exists (select from workspace where id = $1::uuid) as "collectionIsWorkspace"`
}
