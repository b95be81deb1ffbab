import { closest } from '@sidelinja/jobs-core/worker'

/**
 * The key of the collection's `prompts` that probably means this job type and is not spelled like it. Whether it is the name of another type no single worker
 * knows, so that it is worth a warning and no more.
 */
export function nearPrompt(prompts: Readonly<Record<string, string>>, jobType: string): string | undefined {
  return Object.hasOwn(prompts, jobType) ? undefined : closest(jobType, Object.keys(prompts))
}
