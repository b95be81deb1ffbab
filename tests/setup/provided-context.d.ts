import type { TestServer } from '@sidelinja/jobs-core/testing'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The server of this run and its migrated template; copy it with `createTestDatabase(inject('server'))`. */
    server: TestServer
    /** The path of PgBouncer; null when this machine has none. */
    pgbouncer: string | null
    /** The path of ffmpeg, with ffprobe beside it; null when this machine has none. */
    ffmpeg: string | null
    /** The path of Caddy; null when this machine has none. */
    caddy: string | null
    /** The path of Chromium; null when this machine has none. */
    chromium: string | null
    /** The path of pocketsphinx_continuous, which recognises speech; null when this machine has none. */
    pocketsphinx: string | null
    /** The path of pdftotext, which reads PDFs; null when this machine has none. */
    pdftotext: string | null
    /** How long a test keeps the database away. */
    outageMs: number
    /** How many steps the fuzz of tenants takes, and which chances it has. */
    fuzz: { steps: number; seed: number }
    /** Whether tests of cases run as long and as often as those say. */
    fullCases: boolean
  }
}
