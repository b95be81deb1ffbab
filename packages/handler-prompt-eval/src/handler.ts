import { defineHandler } from '@sidelinja/jobs-core/worker'
import type { Services } from '@sidelinja/jobs-kit'
import { replacePromptEvals } from '@sidelinja/jobs-kit/storage'
import { evaluate } from './evaluate.ts'
import { promptEval } from './job.ts'
import { createPatternMatcher } from './match-patterns.ts'
import { readMaterial } from './read-material.ts'

/**
 * Puts a set of tests to several models, and tells for each how much of it passes, how well, how fast and for how much. Enqueued by whoever works on a prompt; nobody waits for it, hence background
 * priority. That a model fails, refuses or does not exist is a result. Permanent: a prompt or tests that make no sense, a judge that cannot be asked, and a gateway that will not be paid.
 */
export const createHandler = ({ gateway, collections }: Pick<Services, 'gateway' | 'collections'>) =>
  defineHandler(
    promptEval,
    async (context) => {
      const { payload, job, signal } = context
      const { collectionNodeId } = job
      const settings = await collections.readSettings(collectionNodeId)
      signal.throwIfAborted()
      const material = await readMaterial(collections, { collectionNodeId, payload, settings })
      const { rows, result } = await evaluate({ gateway, context, settings, material, match: createPatternMatcher() })
      return { result, write: (trx) => replacePromptEvals(trx, collectionNodeId, { jobId: job.id, rows }) }
    },
    { services: ['gateway'] },
  )
