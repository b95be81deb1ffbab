import type { JsonValue } from '@sidelinja/jobs-core'

/** An object of JSON. */
export type JsonObject = { readonly [key: string]: JsonValue }
