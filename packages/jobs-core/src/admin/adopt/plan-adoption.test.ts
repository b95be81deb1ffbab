import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { queueMigrations } from '../migrate/migration-source.ts'
import { originalColumns } from './expected-columns.ts'
import type { CatalogueFacts, Column, Relation, RowFacts } from './facts.ts'
import { decideAdoption } from './plan-adoption.ts'

const collectionNodeId = '0198f3a2-0000-7000-8000-000000000001'

describe('the plan', () => {
  const plans = [
    decide({ tenant: [], integers: true }, { untimed: 1, jobs: { running: 1, pending: 4 }, tenants: { withoutTenant: 5 } }),
    decide(
      { tenant: ['workspace_id'], cancelled: true },
      { jobs: { completed: 9 }, tenants: { withoutTenant: 2, newNodes: 3, hasNodes: true } },
    ),
    decide({ tenant: ['collection_node_id', 'workspace_id'] }, {}),
  ]

  test('takes every file of the folder, and none that is not there', () => {
    const folder = readdirSync(new URL('adopt/', queueMigrations.folder)).map((file) => `queue/adopt/${file.replace(/\.sql$/, '')}`)
    const planned = plans.flatMap(({ steps }) => steps.map(({ name }) => name)).filter((name) => name.startsWith('queue/adopt/'))
    expect([...new Set(planned)].toSorted()).toEqual(folder.toSorted())
  })

  test.each(plans.map((plan) => [plan.shape, plan] as const))(
    'of the shape %s goes from part to part, and sums up the lock',
    (_shape, plan) => {
      const order = ['before', 'takeover', 'after']
      const parts = plan.steps.map(({ part }) => order.indexOf(part))
      expect(parts).toEqual(parts.toSorted())
      const takeover = plan.steps.filter(({ part }) => part === 'takeover')
      expect(takeover[0]?.name).toBe('queue/adopt/0002_lock_queue')
      expect(plan.lockedMs).toBe(takeover.reduce((sum, { estimateMs }) => sum + estimateMs, 0))
      expect(plan.problems).toEqual([])
    },
  )

  test.each([
    ['no tenant', { tenant: [] }, ['queue/adopt/0005_tenant_added']],
    ['workspace_id', { tenant: ['workspace_id'] }, ['queue/adopt/0006_tenant_renamed']],
    ['collection_node_id', { tenant: ['collection_node_id'] }, []],
  ])('of the shape %s makes that tenant and no other', (shape, form, expected) => {
    const plan = decide(form, {})
    expect([plan.shape, plan.steps.map(({ name }) => name).filter((name) => name.includes('tenant'))]).toEqual([shape, expected])
  })

  test('forgets a running job after a minute', () => {
    const started = (startedMsAgo: number) => decide({ tenant: [] }, { startedMsAgo }).startedMsAgo
    expect([started(59_000), started(61_000)]).toEqual([59_000, null])
  })

  test('has no steps while the rows cannot be read', () => {
    const facts = { ...factsOf({ tenant: [] }), queueSchema: 'elsewhere' }
    const plan = decideAdoption({ facts, rows: null, connected: [] }, { collectionNodeId, applied: new Set() })
    expect([plan.steps, plan.problems.map(({ rule }) => rule)]).toEqual([[], ['queue-elsewhere']])
  })
})

interface Form {
  tenant: string[]
  integers?: boolean
  cancelled?: boolean
}

function decide(form: Form, rows: Partial<Omit<RowFacts, 'tenants'>> & { tenants?: Partial<RowFacts['tenants']> }) {
  const tenants = {
    ...{ hasNodes: false, withoutTenant: 0, lostTenants: 0, lostJobs: 0, lostExamples: [], newNodes: 0 },
    ...{ collectionIsNode: rows.tenants?.hasNodes ?? false, collectionIsWorkspace: false, ...rows.tenants },
  }
  const facts = factsOf(form)
  const whole = { jobs: {}, untimed: 0, startedMsAgo: null, broken: [], ...rows, tenants }
  return decideAdoption({ facts, rows: whole, connected: [] }, { collectionNodeId, applied: new Set() })
}

function factsOf({ tenant, integers = false, cancelled = false }: Form): CatalogueFacts {
  const columns = Object.entries(originalColumns).map(([name, [type = '', wider]]) => column(name, integers ? (wider ?? type) : type))
  const labels = ['pending', 'running', 'completed', 'error', 'retry', ...(cancelled ? ['cancelled'] : [])]
  return {
    ...{
      schema: 'public',
      queueSchema: 'public',
      relations: [queue],
      columns: [...columns, ...tenant.map((name) => column(name, 'uuid'))],
    },
    uniqueKeys: [{ table: 'job_queue', columns: ['id'], primary: true }],
    statusType: { name: 'job_status', schema: 'public', labels, owned: true },
    ...{ constraints: [], dependents: [], triggers: [] },
  }
}

const queue: Relation = {
  ...{ name: 'job_queue', kind: 'r', persistence: 'p', inherits: false, bytes: 8192 },
  ...{ owned: true, mayReference: true, hidesRows: false },
}

function column(name: string, type: string): Column {
  return { table: 'job_queue', name, type, notNull: false, default: null, automatic: false, labels: null }
}
