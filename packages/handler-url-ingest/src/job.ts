import { defineJob } from '@sidelinja/jobs-core'
import { z } from 'zod'
import type { SourceType } from './questions.ts'

const payload = z.object({
  /** The page: at most 2,000 characters, http or https. */
  url: z.url({ protocol: /^https?$/, error: 'expected an address, like https://example.org/page' }).max(2_000),
  /** Title of the node: at most 300 characters. Default: the page's own. */
  title: z.string().trim().min(1).max(300).optional(),
  /** The node that the page is a source for, one of the collection's: an edge `source` leads from it to the clip. */
  forNodeId: z.guid().optional(),
  /** Nobody asked for this page just now, as when a feed named it: then the site's robots.txt is obeyed. Default false. */
  automated: z.boolean().optional(),
})

/** What a `url_ingest` job is given. */
export type Payload = z.infer<typeof payload>

/** Why a page was not, or not wholly, read. No model is asked about such a page, and what text it has is not taken for the article. */
export type Obstacle =
  | 'not_found'
  | 'refused'
  | 'consent'
  | 'paywall'
  | 'needs_script'
  | 'empty'
  | 'scanned'
  | 'unreadable'
  | 'no_pdf_reader'
  | 'robots'

/** `full` the page was read; `partial` some text of it was, and something stands before the rest; `blocked` nothing was. */
export type Quality = 'full' | 'partial' | 'blocked'

/** What is known of a page: `metadata.clip` of its node. Text of strangers and of a model: escape it where it is shown. */
export type Clip = {
  quality: Quality
  /** Null where the quality is `full`. */
  obstacle: Obstacle | null
  /** '' where no model was asked. */
  summary: string
  /** Each with the words of the page that bear it out. */
  keyClaims: { claim: string; quote: string }[]
  /** Null where no model was asked. */
  sourceType: SourceType | null
  /** As it was given. */
  sourceUrl: string
  /** Where the page was found, after redirects. */
  url: string
  /** Where the page says that it belongs, if that is its own site. */
  canonicalUrl: string | null
  /** What the page says of itself. */
  siteName: string | null
  author: string | null
  /** `2026-12-01`, or with time and zone. */
  publishedAt: string | null
  description: string | null
  /** `nb` or `nn` where the text is Norwegian, else what the page says. */
  language: string | null
  /** What the page reserves: `noai` against use by AI, `tdm` against text and data mining. */
  reservations: ('noai' | 'tdm')[]
  mediaType: string | null
  etag: string | null
  /** SHA-256 of what came. */
  contentHash: string | null
  fetchedAt: string
  /** Characters of the text beyond the 200,000 that are kept. */
  cutCharacters: number
  jobId: string
  /** The model's alias; null where none was asked. */
  model: string | null
  promptVersion: string | null
}

/** What a `url_ingest` job leaves in `job_queue.result`: never a word of the page. */
export type Result = {
  /** The page's node. */
  nodeId: string
  /** `edited`: somebody has changed title or content, which stay; `kept`: the page had been read before, and now something stands in its way, so all stays. */
  outcome: 'stored' | 'edited' | 'kept'
  quality: Quality
  obstacle: Obstacle | null
  /** Of HTTP; null where robots.txt forbade to ask. */
  status: number | null
  /** Of what came, unpacked. */
  bytes: number
  /** Of the text that is kept. */
  characters: number
  keyClaims: number
  /** Parts that the text was read in; 0 where no model was asked. */
  parts: number
  /** Claims of the model that are empty, or whose quote the page does not say. */
  dropped: { claims: number }
  /** Entries of the model's lists beyond what a list may have, by list, of all parts: only the first were looked at. */
  cut: Record<string, number>
}

/** Keeps one page; somebody waits for it. */
export const urlIngest = defineJob({ type: 'url_ingest', payload, priority: 10, maxAttempts: 3, timeoutMs: 30 * 60_000 })
