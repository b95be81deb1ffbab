import { isJobsError } from '@sidelinja/jobs-core'
import type { HandlerContext } from '@sidelinja/jobs-core/worker'
import { isUpstreamError } from '@sidelinja/jobs-kit'

/**
 * Trouble that may pass is tried again with the whole job. What is left of it at the last attempt is that of one cell, and costs the others nothing: but for being asked to wait, which says nothing about
 * the model.
 */
export function isOfThisCell(error: unknown, { job, signal }: HandlerContext<unknown>): error is Error & { code: string } {
  if (signal.aborted || job.attempt < job.maxAttempts || !isJobsError(error, 'transient')) return false
  return !isUpstreamError(error, 429)
}

/** An error as a cell keeps it. */
export function toldOf(error: { code: string; message: string }): { code: string; message: string } {
  return { code: error.code, message: error.message.slice(0, 500).toWellFormed() }
}
