import type { Breaker } from '../breaker/create-breaker.ts'
import type { HttpClient } from '../http/http-client.ts'
import type { StorageDatabase } from '../storage/storage-database.ts'
import type { GatewayConfig } from './gateway.ts'

/** What the gateway works with. */
export interface GatewayParts {
  readonly config: GatewayConfig
  readonly client: HttpClient
  readonly breaker: Breaker
  /** Where calls are kept, and their costs summed. Not a transaction. */
  readonly db: StorageDatabase
}
