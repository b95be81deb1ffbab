import type { TestServer } from '@sidelinja/jobs-core/testing'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The server of this run and its migrated template; copy it with `createTestDatabase(inject('server'))`. */
    server: TestServer
  }
}
