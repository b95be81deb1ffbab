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

const defaultTimeoutMs = 300_000

/** Where one of the gateway's routes is. */
export function addressOf({ url: base }: GatewayConfig, route: 'chat/completions' | 'embeddings'): URL {
  const url = new URL(base)
  url.pathname = `${base.pathname.replace(/\/$/, '')}/v1/${route}`
  return url
}

/** The key as it is sent, where there is one. */
export function keyOf({ apiKey }: GatewayConfig): { headers?: { authorization: string } } {
  return apiKey ? { headers: { authorization: `Bearer ${apiKey}` } } : {}
}

/** How long one call may take, in milliseconds. */
export function timeoutOf({ timeoutMs = defaultTimeoutMs }: GatewayConfig): number {
  return timeoutMs
}
