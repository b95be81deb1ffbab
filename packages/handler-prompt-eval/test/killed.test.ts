import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { enqueue } from '@sidelinja/jobs-core'
import { waitForJob } from '@sidelinja/jobs-core/testing'
import { createWorker } from '@sidelinja/jobs-core/worker'
import { gatewayReply } from '@sidelinja/jobs-kit/testing'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import type { z } from 'zod'
import type { testCase } from '../src/assertions.ts'
import { promptEval } from '../src/job.ts'
import { type KilledWorkerOptions, killPoints } from './killed-worker.ts'
import { judge, models, setup } from './support.ts'

let t: Awaited<ReturnType<typeof setup>>
beforeAll(async () => {
  t = await setup(inject('server'))
})
afterAll(() => t.drop())

const assert: NonNullable<z.input<typeof testCase>['assert']> = [
  { type: 'regex', value: '^Svar' },
  { type: 'llm-rubric', value: 'god' },
  { type: 'similar', value: 'Svar på en', threshold: 0.1 },
]
const given = { prompt: 'Svar på {{n}}', tests: ['en', 'to', 'tre'].map((n) => ({ vars: { n }, assert })), models, maxCostUsd: null }

test.each(killPoints)(
  'a worker is killed %s: the next one goes on, pays for no cell and no verdict twice, and leaves each cell once',
  async (point) => {
    t.says(({ chat }) =>
      gatewayReply(
        chat?.model === judge
          ? JSON.stringify({ reason: 'Ja.', quote: 'Svar', score: 1, pass: true })
          : `${chat?.messages.at(-1)?.content}, sa ${chat?.model}`,
      ),
    )
    const collectionNodeId = await t.collection()
    const { id } = await enqueue(t.pool, promptEval, given, { collectionNodeId })
    expect(await killed({ connectionString: t.connectionString, gatewayUrl: t.gateway.url, point })).toBe('SIGKILL')
    const worker = createWorker({ connection: t.connectionString, handlers: [t.handler], leaseMs: 1_000, pollIntervalMs: 50 })
    await worker.start()
    try {
      const ended = { cells: 6, left: 0, models: [{ passed: 3 }, { passed: 3 }] }
      expect(await waitForJob(t.pool, id, { status: 'completed' })).toMatchObject({ result: ended })
    } finally {
      await worker.stop()
    }
    // An output, a verdict and a call for vectors each.
    expect(t.asked()).toHaveLength(18)
    const outputs = t
      .asked()
      .flatMap(({ chat }) => (chat && models.includes(chat.model) ? [`${chat.model} ${chat.messages[0]?.content}`] : []))
    expect([outputs.length, new Set(outputs).size]).toEqual([6, 6])
    expect(await t.stored(collectionNodeId, id)).toHaveLength(6)
  },
)

/** What ended it. */
async function killed(options: KilledWorkerOptions): Promise<NodeJS.Signals | null> {
  const program = join(import.meta.dirname, 'killed-worker.ts')
  const child = spawn(process.execPath, ['--conditions=@sidelinja/source', program, JSON.stringify(options)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [, signal] = await once(child, 'exit')
  return signal
}
