import { readFileSync } from 'node:fs'
import { defineJob, enqueue } from '@sidelinja/jobs-core'
import { waitForJob } from '@sidelinja/jobs-core/testing'
import { createWorker, defineHandler, type WorkerEvent } from '@sidelinja/jobs-core/worker'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { useAdmin } from '../support.ts'

const admin = useAdmin()
const lines = readFileSync(new URL('../fixtures/error-lines.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n')
const secrets = ['sk-test-AAAABBBBCCCCDDDD1111', 'hemmelig-passord', 'eyJhbGciOi.fake.token', 'FAKEKEY123456', 'hemmelig2']
/** What of each line tells what went wrong. */
const readable = ['failed: 401', 'connect failed: postgres://jobs:', 'upstream said no', 'GET https://api.example.org/x', 'psql: error']

const ways: Record<string, (line: string, secret: string) => unknown> = {
  'as it is': (line) => new Error(line),
  'inside the cause': (line) => new Error('It did not work', { cause: new Error(line) }),
  'inside the body of a 401': (line) => new Error(`401 Unauthorized: ${JSON.stringify({ error: { message: line } })}`),
  'split by a line break': (line, secret) => new Error(line.replace(secret, `${secret.slice(0, 9)}\n${secret.slice(9)}`)),
  'where the text is cut': (line) => new Error(`${'x '.repeat(2_040)}${line}`),
  'not in an Error': (line) => line,
}
const definition = defineJob({ type: 'fails', payload: z.object({ way: z.string(), line: z.number() }), maxAttempts: 1 })

test('what a handler throws is masked where it is stored, shown and reported, and the rest stays readable', {
  timeout: 60_000,
}, async () => {
  const events: WorkerEvent[] = []
  const handler = defineHandler(definition, async ({ payload }) => {
    throw ways[payload.way]?.(lines[payload.line] as string, secrets[payload.line] as string)
  })
  const onEvent = (event: WorkerEvent) => void events.push(event)
  const worker = createWorker({ connection: admin.database.connectionString, handlers: [handler], maxConcurrent: 10, onEvent })
  await worker.start()
  try {
    for (const way of Object.keys(ways)) {
      for (const [line, secret] of secrets.entries()) {
        const { id } = await enqueue(admin.database.db, definition, { way, line }, { collectionNodeId: admin.mine })
        const { error_msg } = await waitForJob(admin.database.db, id, { status: 'error' })
        const shown = await Promise.all(
          ['', `/${id}`, `/${id}/explain`, '/errors'].map(async (path) => (await admin.get(admin.user, path)).text()),
        )
        const told = JSON.stringify(events, (_key, value) =>
          value instanceof Error ? { ...value, text: `${value.message} ${value.stack}` } : value,
        )
        for (const text of [error_msg ?? '', ...shown, told])
          expect({ way, secret, left: leftOf(secret, text) }).toEqual({ way, secret, left: undefined })
        if (way === 'as it is') expect(error_msg).toContain(readable[line])
      }
    }
  } finally {
    await worker.stop()
  }
})

/** The secret, or more of it than nothing. */
function leftOf(secret: string, text: string): string | undefined {
  return [secret, secret.slice(0, 9), secret.slice(-8)].find((part) => text.includes(part))
}
