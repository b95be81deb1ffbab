import { createTestDatabase, type TestDatabase } from '@sidelinja/jobs-core/testing'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { checkServices, createServices } from '../src/index.ts'
import { checkHostTables } from '../src/storage/index.ts'

let database: TestDatabase

beforeEach(async () => {
  database = await createTestDatabase(inject('server'))
})
afterEach(() => database.drop())

test('the tables that migrate makes fit', async () => {
  await expect(checkHostTables(database.db)).resolves.toBeUndefined()
})

test("a host's own varchar, enum, domain, view and further columns fit too", async () => {
  await database.pool.query(`
    create type node_kind as enum ('collection', 'episode');
    create domain details as jsonb not null;
    create domain user_name as text;
    alter table nodes alter column kind type node_kind using kind::node_kind, alter column title type varchar(200), add column extra integer;
    alter table nodes alter column metadata drop default, alter column metadata type details;
    alter table node_access alter column user_id type user_name;
    alter table edges rename to all_edges;
    create view edges as select *, now() as seen_at from all_edges`)
  await expect(checkHostTables(database.db)).resolves.toBeUndefined()
})

test('every column that is missing or of another type is named at once', async () => {
  await database.pool.query(`
    alter table nodes alter column metadata drop default, alter column metadata type json;
    alter table nodes alter column updated_at type timestamp;
    alter table nodes rename column content to body;
    alter table edges drop column status;
    drop table node_access`)
  await expect(checkHostTables(database.db)).rejects.toMatchObject({
    code: 'HOST_TABLES_MISMATCH',
    kind: 'configuration',
    message:
      'The tables of the host application do not fit: ' +
      'nodes.content is missing (expected text); ' +
      'nodes.metadata is json (expected jsonb); ' +
      'nodes.updated_at is timestamp without time zone (expected timestamp with time zone); ' +
      'edges.status is missing (expected text); ' +
      'there is no table node_access on the search path (has migrate been run?). ' +
      'Change them, or give the names and types that are expected through a view.',
  })
})

test('checkServices looks at them once a handler has taken the collections', async () => {
  await database.pool.query('alter table edges drop column status')
  const services = createServices({ db: database.db })
  await checkServices(services)
  services.collections
  await expect(checkServices(services)).rejects.toMatchObject({ code: 'HOST_TABLES_MISMATCH' })
})
