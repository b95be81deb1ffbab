import type { Result } from '@sidelinja/handler-ai-text-process/job'
import type { Clip } from '@sidelinja/handler-research-clip/job'
import type { Clip as PageClip } from '@sidelinja/handler-url-ingest/job'
import type pg from 'pg'
import { COLLECTION_ID } from '../collection.ts'
import { indent } from '../indent.ts'
import { TEXTS } from './enqueue-texts.ts'

interface Row {
  mode: string
  before: string
  result: Result
}

interface ClipNode {
  title: string
  content: string
  clip: Clip
}

interface PageNode {
  title: string
  content: string
  clip: PageClip
}

/** The newest clip of a job type. */
const clipsBy = `select n.title, n.content, n.metadata -> 'clip' as clip from nodes n join job_queue j on n.id = (j.result ->> 'nodeId')::uuid
  where j.collection_node_id = $1 and j.correlation_id = $2 and j.job_type = $3 and j.status = 'completed'
  order by j.sequence desc limit 1`

/** What came of the sample texts: cleaned, facts, summed up, a clip for research, and the clip of a page; '' when there is none of it. */
export async function showTexts(pool: pg.Pool): Promise<string> {
  const texts = await pool.query<Row>(
    `select distinct on (payload ->> 'mode') payload ->> 'mode' as mode, payload ->> 'text' as before, result from job_queue
     where collection_node_id = $1 and correlation_id = $2 and job_type = 'ai_text_process' and status = 'completed'
     order by payload ->> 'mode', sequence desc`,
    [COLLECTION_ID, TEXTS],
  )
  const clips = await pool.query<ClipNode>(clipsBy, [COLLECTION_ID, TEXTS, 'research_clip'])
  const pages = await pool.query<PageNode>(clipsBy, [COLLECTION_ID, TEXTS, 'url_ingest'])
  return [...texts.rows.map(describeText), ...clips.rows.map(describeClip), ...pages.rows.map(describePage)].join('\n')
}

function describeText({ mode, before, result: { text, uncertain } }: Row): string {
  const made = (text ?? '').trimEnd()
  const unsure = uncertain.length > 0 ? `, to look at: ${uncertain.map(({ kind, text: what }) => `${kind} ${what}`).join(', ')}` : ''
  return `\nText, ${mode}: ${before.length} characters became ${made.length}${unsure}\n\n${indent(made)}`
}

function describeClip({ title, content, clip: { summary, keyClaims, leftOut, language } }: ClipNode): string {
  const claims = keyClaims.slice(0, 3).map(({ claim }) => indent(`• ${claim}`))
  return [
    `\nClip for research: ${title}\n`,
    indent(summary),
    ...(claims.length > 0 ? ['', ...claims] : []),
    `\n  ${content.length} characters kept, ${leftOut} lines left out, language ${language ?? 'not known'}`,
  ].join('\n')
}

function describePage({ title, content, clip: { summary, siteName, author, publishedAt, quality } }: PageNode): string {
  const from = [siteName, author, publishedAt?.slice(0, 10)].filter(Boolean).join(', ')
  return [`\nClip of a page: ${title} (${from})\n`, indent(summary), `\n  ${content.length} characters read, quality ${quality}`].join('\n')
}
