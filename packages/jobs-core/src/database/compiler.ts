import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import type { QueueDatabase } from './tables.ts'

let instance: Kysely<QueueDatabase> | undefined

/** A Kysely that only compiles: statements are built once with it and then run on the caller's own connection. */
export function compiler(): Kysely<QueueDatabase> {
  instance ??= new Kysely<QueueDatabase>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  })
  return instance
}
