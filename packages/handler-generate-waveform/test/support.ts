import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createTestDatabase, insertNode, runHandler, type TestServer } from '@sidelinja/jobs-core/testing'
import { createServices } from '@sidelinja/jobs-kit'
import { inject } from 'vitest'
import { createHandler } from '../src/handler.ts'
import type { Payload, Result } from '../src/job.ts'

/** ffmpeg's path; null where there is none. */
export const ffmpeg = inject('ffmpeg')

/** Lets ffmpeg make a file in a folder. */
export async function makeAudio(folder: string, name: string, ...args: string[]): Promise<void> {
  await promisify(execFile)(ffmpeg as string, ['-nostdin', '-v', 'error', ...args, '-y', join(folder, name)])
}

/** A tone as loud as half of full scale, then silence; each so many seconds. */
export const toneAndSilence = (seconds: number) => [
  ...['-f', 'lavfi', '-i', `aevalsrc=0.5*sin(440*2*PI*t)*lt(t\\,${seconds}):duration=${2 * seconds}:sample_rate=44100`],
]

/** A database, an empty media folder and a handler of their own. */
export async function setup(server: TestServer) {
  const database = await createTestDatabase(server)
  const mediaRoot = await mkdtemp(join(tmpdir(), 'waveform-'))
  const handler = createHandler(createServices({ db: database.db, mediaRoot }))
  const collectionNodeId = (await insertNode(database.db)).id
  return {
    ...database,
    mediaRoot,
    handler,
    collectionNodeId,
    insertMedia: async () => (await insertNode(database.db, { kind: 'media' })).id,
    make: (name: string, ...args: string[]) => makeAudio(mediaRoot, name, ...args),
    run: (payload: Payload) => runHandler<Result>(handler, { payload, job: { collectionNodeId }, db: database.db }),
    async drop() {
      await database.drop()
      await rm(mediaRoot, { recursive: true })
    },
  }
}
