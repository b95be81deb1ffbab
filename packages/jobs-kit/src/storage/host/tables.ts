import type { JsonValue } from '@sidelinja/jobs-core'
import type { ColumnType, Generated } from 'kysely'

/** A JSON column: read as a value, written as its text. */
type Json = ColumnType<JsonValue, string | undefined, string>

interface NodesTable {
  id: Generated<string>
  kind: string
  title: string | null
  content: string | null
  metadata: Json
  created_at: Generated<Date>
  updated_at: Generated<Date>
}

interface EdgesTable {
  id: Generated<string>
  source_id: string
  target_id: string
  kind: string
  status: string | null
  metadata: Json
}

interface NodeAccessTable {
  user_id: string
  node_id: string
  role: string
}

/** The host application's tables. Everything known about them lies in this folder; a host that differs is adapted here. */
export interface HostTables {
  nodes: NodesTable
  edges: EdgesTable
  node_access: NodeAccessTable
}
