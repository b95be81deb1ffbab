import { createRequire } from 'node:module'

/** The version of @sidelinja/worker; the same path from src/ and from dist/. */
export const version = (): string => (createRequire(import.meta.url)('../package.json') as { version: string }).version
