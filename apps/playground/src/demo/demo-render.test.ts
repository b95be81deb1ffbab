import { runHandler } from '@sidelinja/jobs-core/testing'
import { expect, test } from 'vitest'
import { demoRenderHandler } from './demo-render.ts'

const run = (firstRun: string, number: number) =>
  runHandler(demoRenderHandler, { payload: { title: 'Episode 1', seconds: 0, firstRun }, job: { run: number } })

test.each([
  ['fails', 'permanent', undefined],
  ['fails for now', 'transient', 3_600_000],
])('%s the first time, and not again', async (firstRun, kind, retryAfterMs) => {
  await expect(run(firstRun, 1)).rejects.toMatchObject({ code: 'DEMO_FAILED', kind, ...(retryAfterMs && { retryAfterMs }) })
  expect(await run(firstRun, 2)).toMatchObject({ result: { title: 'Episode 1' } })
})

test('succeeds at once when nothing else was said, with progress for each second', async () => {
  const { result, progress } = await runHandler(demoRenderHandler, { payload: { title: 'Episode 2', seconds: 1 }, job: { run: 1 } })
  expect(result).toEqual({ title: 'Episode 2', seconds: 1 })
  expect(progress).toEqual([{ fraction: 0, text: 'Gjengir Episode 2' }])
})

test('ends when its signal aborts', async () => {
  const signal = AbortSignal.abort(new Error('the worker stops'))
  const stopped = runHandler(demoRenderHandler, { payload: { title: 'Episode 3', seconds: 500 }, job: { run: 1 }, signal })
  await expect(stopped).rejects.toThrow('aborted')
})
