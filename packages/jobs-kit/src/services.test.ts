import { Kysely, PostgresDialect } from 'kysely'
import { expect, test } from 'vitest'
import { checkServices, createServices, type Services } from './services.ts'

/** A database that must not be touched. */
const connect = () => Promise.reject(new Error('the database was touched'))
const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: { connect, end: async () => {}, options: {} } }) })

const createLogHandler = ({ logs }: Pick<Services, 'logs'>) => logs
const createMediaHandler = ({ media }: Pick<Services, 'media'>) => media

test('building handlers touches neither disk nor database', () => {
  const services = createServices({ db, mediaRoot: '/nowhere/media', logRoot: '/nowhere/logs' })
  expect(createMediaHandler(services).name).toBe('MEDIA_ROOT')
  expect(createLogHandler(services).name).toBe('LOG_ROOT')
  expect(services.collections).toBe(services.collections)
})

test.each([undefined, ''])('a root that is %j is missed when a handler that needs it is built, not before', async (root) => {
  const services = createServices({ db, mediaRoot: root, logRoot: root })
  const unset = (name: string) =>
    expect.objectContaining({ code: 'FILE_ROOT_UNSET', kind: 'configuration', message: expect.stringContaining(name) })
  expect(() => createMediaHandler(services)).toThrow(unset('MEDIA_ROOT'))
  expect(() => createLogHandler(services)).toThrow(unset('LOG_ROOT'))
  await checkServices(services)
})

test('only what was taken is checked', async () => {
  const services = createServices({ db, mediaRoot: '/nowhere/media', logRoot: import.meta.dirname })
  await checkServices(services)
  createLogHandler(services)
  await checkServices(services)
  createMediaHandler(services)
  await expect(checkServices(services)).rejects.toMatchObject({ code: 'FILE_ROOT_MISSING', kind: 'configuration' })
})

test('a database that is away is no fault of the configuration', async () => {
  const services = createServices({ db })
  services.collections
  await expect(checkServices(services)).rejects.toThrow('the database was touched')
})

test('an object that only looks like services has nothing to check', async () => {
  await expect(checkServices({} as Services)).resolves.toBeUndefined()
})
