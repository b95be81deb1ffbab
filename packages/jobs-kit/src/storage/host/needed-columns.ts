import type { HostTables } from './tables.ts'

/** What kind of column is needed. `text` also takes varchar and enums, `any` whatever the host identifies its users by. */
export type NeededType = 'uuid' | 'text' | 'jsonb' | 'timestamptz' | 'any'

/** The columns of the host's tables that handlers read or write; more may be there. */
export const neededColumns: { [Table in keyof HostTables]: { [Column in keyof HostTables[Table]]: NeededType } } = {
  nodes: {
    id: 'uuid',
    kind: 'text',
    title: 'text',
    content: 'text',
    metadata: 'jsonb',
    created_at: 'timestamptz',
    updated_at: 'timestamptz',
  },
  edges: { id: 'uuid', source_id: 'uuid', target_id: 'uuid', kind: 'text', status: 'text', metadata: 'jsonb' },
  node_access: { user_id: 'any', node_id: 'uuid', role: 'text' },
}
