import { type ConfigurationError, defineJob } from '@sidelinja/jobs-core'
import { defineHandler } from '@sidelinja/jobs-core/worker'
import { Kysely, PostgresDialect } from 'kysely'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { checkServices, createHandlers, createServices, type HandlerPackage, type Services } from './services.ts'

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

test('transcription without a server is missed when a handler that needs it is built', () => {
  expect(() => createServices({ db }).transcription).toThrow(
    expect.objectContaining({ code: 'SERVICE_UNSET', kind: 'configuration', message: expect.stringContaining('WHISPER_URL') }),
  )
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
  await expect(checkServices({} as Services)).resolves.toEqual([])
})

describe('handlers that are built together', () => {
  const packageOf = (type: string, ...names: (keyof Services)[]): HandlerPackage => {
    const definition = defineJob({ type, payload: z.object({}) })
    return {
      definition,
      createHandler: (services) => {
        const taken = names.map((name) => services[name])
        return defineHandler(definition, async () => ({ result: { taken: taken.map((service) => Object.keys(service)) } }))
      },
    }
  }
  const hear = packageOf('hear', 'media', 'audio', 'transcription')
  const draw = packageOf('draw', 'media', 'audio')
  const count = packageOf('count', 'logs', 'collections')

  test('are told everything that is missing at once, and which of them needs it, also while the database is away', async () => {
    const services = createServices({ db, logRoot: '/nowhere/logs', audio: { ffmpegPath: '/nowhere/ffmpeg' } })
    expect(createHandlers([hear, draw, count], services)).toHaveLength(3)
    const error = await checkServices(services).catch((error) => error)
    expect(error).toMatchObject({ code: 'SERVICES_MISSING', kind: 'configuration' })
    expect(error.message.split('\n')).toEqual([
      '4 things are missing:',
      '- hear and draw need files below MEDIA_ROOT, but MEDIA_ROOT is not set. Set it to the folder, or choose a build or types that do without.',
      expect.stringMatching(/^- hear and draw need ffmpeg, and "\/nowhere\/ffmpeg" cannot be run/),
      '- hear needs a transcription server, but WHISPER_URL is not set. Set it to the address of one, or choose a build or types that do without.',
      '- LOG_ROOT is "/nowhere/logs": there is no such folder. Set LOG_ROOT to a folder this process may read.',
    ])
    expect(error.cause.errors.map(({ code }: ConfigurationError) => code)).toEqual([
      ...['FILE_ROOT_UNSET', 'FFMPEG_MISSING', 'SERVICE_UNSET', 'FILE_ROOT_MISSING'],
    ])
  })

  test('are told of one thing in its own words', async () => {
    const services = createServices({ db, mediaRoot: import.meta.dirname })
    createHandlers([packageOf('look', 'media', 'logs'), packageOf('see', 'logs'), packageOf('watch', 'logs')], services)
    await expect(checkServices(services)).rejects.toMatchObject({
      code: 'FILE_ROOT_UNSET',
      message: expect.stringMatching(/^look, see and watch need files below LOG_ROOT/),
    })
  })

  test('are checked with the database when all else is there', async () => {
    const services = createServices({ db, logRoot: import.meta.dirname })
    createHandlers([count], services)
    await expect(checkServices(services)).rejects.toThrow('the database was touched')
  })

  test('are told so, too, when they use what is not there', () => {
    const taken: Services['media'][] = []
    const createHandler: HandlerPackage['createHandler'] = (services) => {
      taken.push(services.media)
      return draw.createHandler(services)
    }
    createHandlers([{ ...draw, createHandler }], createServices({ db }))
    expect(() => taken[0]?.resolve('a.mp3')).toThrow(
      expect.objectContaining({ code: 'FILE_ROOT_UNSET', message: expect.stringContaining('draw needs files below MEDIA_ROOT') }),
    )
  })

  test('may have services of the tests', async () => {
    const services = { media: createServices({ db, mediaRoot: '/nowhere' }).media } as Services
    expect(createHandlers([packageOf('look', 'media')], services)).toHaveLength(1)
    await checkServices(services)
  })
})
