import { defineJob } from '@sidelinja/jobs-core'
import { z } from 'zod'

const payload = z
  .object({
    /** `rens`: cleaned, nothing left out. `oppsummer`: summed up. `fakta`: its facts as a list. `skriv_om`: the same in other words. */
    mode: z.enum(['rens', 'oppsummer', 'fakta', 'skriv_om']),
    /** The text: at most 60,000 characters. */
    text: z.string().max(60_000).regex(/\S/, { error: 'expected some text' }).optional(),
    /** Instead of `text`: the node whose content it is, one of the collection's. */
    nodeId: z.guid().optional(),
    /** Puts what came of it in place of the node's content, if nobody has changed that meanwhile. Default: no. */
    replace: z.boolean().optional(),
  })
  .refine(({ text, nodeId }) => (text === undefined) !== (nodeId === undefined), { error: 'expected text or nodeId, and not both' })
  .refine(({ nodeId, replace }) => !replace || nodeId !== undefined, { error: 'expected nodeId with replace: a text has no place' })

/** What an `ai_text_process` job is given. */
export type Payload = z.infer<typeof payload>

/** What is done with a text. */
export type Mode = Payload['mode']

/**
 * Something to look at before the text is used: a number, name, weekday or month that is gone or new, numbers that changed places, more or fewer words
 * that say no, a part that became much shorter or longer, another language or form of Norwegian. `more`: so many others of any kind.
 */
export type Uncertain = {
  kind:
    | 'lost_number'
    | 'new_number'
    | 'lost_name'
    | 'new_name'
    | 'lost_day'
    | 'new_day'
    | 'moved_number'
    | 'negation'
    | 'length'
    | 'language'
    | 'more'
  text: string
}

/** What an `ai_text_process` job leaves in `job_queue.result`. Text of strangers and of a model: escape it where it is shown. */
export type Result = {
  /** Null when it stands in the node. */
  text: string | null
  /** `no text`: the node holds none, and nobody was asked. */
  note: 'no text' | null
  /**
   * What became of the node's content, with `replace`; else null. It stays as it is where it was changed since it was read (`changed_meanwhile`), and
   * where nothing came of it or `uncertain` tells of `length` or `language` (`unlike`).
   */
  node: 'replaced' | 'changed_meanwhile' | 'unlike' | null
  /** Parts that the text was read in. */
  parts: number
  /** At most 200. */
  uncertain: Uncertain[]
  /** Facts that are empty, or that the text does not bear out: left out. */
  dropped: number
  /** Facts beyond the 60 that a part may have: only the first were looked at. */
  cut: number
}

/** Works on one text; somebody waits for it. */
export const aiTextProcess = defineJob({ type: 'ai_text_process', payload, priority: 10, maxAttempts: 3, timeoutMs: 30 * 60_000 })
