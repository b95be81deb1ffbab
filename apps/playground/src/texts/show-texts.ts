import type { Result } from '@sidelinja/handler-ai-text-process/job'
import type { Clip } from '@sidelinja/handler-research-clip/job'
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

/** What came of the sample texts: cleaned, facts, summed up, and a clip for research; '' when there is none of it. */
export async function showTexts(pool: pg.Pool): Promise<string> {
  const texts = await pool.query<Row>(
    `select distinct on (payload ->> 'mode') payload ->> 'mode' as mode, payload ->> 'text' as before, result from job_queue
     where collection_node_id = $1 and correlation_id = $2 and job_type = 'ai_text_process' and status = 'completed'
     order by payload ->> 'mode', sequence desc`,
    [COLLECTION_ID, TEXTS],
  )
  const clips = await pool.query<ClipNode>(
    `select n.title, n.content, n.metadata -> 'clip' as clip from nodes n join job_queue j on n.id = (j.result ->> 'nodeId')::uuid
     where j.collection_node_id = $1 and j.correlation_id = $2 and j.job_type = 'research_clip' and j.status = 'completed'
     order by j.sequence desc limit 1`,
    [COLLECTION_ID, TEXTS],
  )
  return [...texts.rows.map(describeText), ...clips.rows.map(describeClip)].join('\n')
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
