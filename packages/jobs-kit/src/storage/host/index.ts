export { checkHostTables, compareHostTables, type HostDifference } from './check-host-tables.ts'
export { readCollectionSettings } from './read-collection-settings.ts'
export { type HostNode, readNode } from './read-node.ts'
export type { HostTables } from './tables.ts'
