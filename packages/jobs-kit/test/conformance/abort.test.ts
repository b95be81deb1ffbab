import { PermanentError } from '@sidelinja/jobs-core'
import { describe, expect, test } from 'vitest'
import type { Services } from '../../src/index.ts'
import { goodRun, insertNotes, type Run } from './notes.ts'
import { besides, running, says, smuggling, violations } from './violations.ts'

describe('does not begin when its signal is aborted already', () => {
  const rule = 'does not begin when its signal is aborted already'

  test('a handler without a look at its signal', async () => {
    const deaf: Run = (context, services) => goodRun({ ...context, signal: new AbortController().signal }, services)
    expect(await violations(rule, running(deaf))).toEqual(says(/returned as if nothing had happened.*before it began/))
  })

  test('a handler that hangs', async () => {
    const found = await violations(rule, { ...running(() => new Promise(() => {})), abortWithinMs: 50 })
    expect(found).toEqual(says(/went on for more than 50 ms/))
  })

  test('a handler that calls it permanent', async () => {
    const offended: Run = async ({ signal }) => {
      if (signal.aborted) throw new PermanentError('STOPPED', 'stopped')
      return {}
    }
    expect(await violations(rule, running(offended))).toEqual(says(/permanent failure \(PermanentError STOPPED: stopped\)/))
  })

  test('a handler that writes first', async () => {
    const hasty: Run = async (context, services) => {
      await insertNotes(besides(services), context.job.collectionNodeId, context.payload.nodeId, ['hasty'])
      context.signal.throwIfAborted()
      return {}
    }
    expect(await violations(rule, { ...running(hasty), createServices: smuggling })).toEqual(
      says(/wrote although it was aborted: notes \+1/),
    )
  })
})

describe('gives up soon when its signal is aborted while it runs', () => {
  const rule = 'gives up soon when its signal is aborted while it runs'
  const call = async ({ job }: Parameters<Run>[0], { collections }: Services) => {
    await collections.readSettings(job.collectionNodeId)
  }

  test('a handler that only looks at its signal once', async () => {
    const deaf: Run = async (context, services) => {
      context.signal.throwIfAborted()
      return goodRun({ ...context, signal: new AbortController().signal }, services)
    }
    expect(await violations(rule, running(deaf))).toEqual(says(/during its service call 1 of 2/, /during its service call 2 of 2/))
  })

  test('a handler that looks away after its second call', async () => {
    const inattentive: Run = async (context, services) => {
      await call(context, services)
      context.signal.throwIfAborted()
      await call(context, services)
      return {}
    }
    expect(await violations(rule, running(inattentive))).toEqual(says(/during its service call 2 of 2/))
  })

  test('a handler that hangs after its call', async () => {
    const hanging: Run = async (context, services) => {
      await call(context, services)
      if (context.signal.aborted) await new Promise(() => {})
      return {}
    }
    expect(await violations(rule, { ...running(hanging), abortWithinMs: 50 })).toEqual(
      says(/more than 50 ms after its signal was aborted during its service call 1 of 1/),
    )
  })

  test('of a hundred calls twelve are tried', async () => {
    const chatty: Run = async (context, services) => {
      for (let i = 0; i < 100; i++) await call(context, services)
      return {}
    }
    const found = await violations(rule, running(chatty))
    expect(found).toHaveLength(12)
    expect([found[0], found[11]]).toEqual(says(/call 1 of 100/, /call 100 of 100/))
  })
})
