import { readFile } from 'node:fs/promises'
import { aiTextProcess } from '@sidelinja/handler-ai-text-process/job'
import { researchClip } from '@sidelinja/handler-research-clip/job'
import { urlIngest } from '@sidelinja/handler-url-ingest/job'
import { enqueue } from '@sidelinja/jobs-core'
import type pg from 'pg'
import { COLLECTION_ID } from '../collection.ts'
import { SAMPLE_PAGE } from './serve-sample-page.ts'

/** Names the jobs, so that every start finds them again. */
export const TEXTS = 'sample texts'

/** What is done with which text; the clip's page does not exist. */
const processed = [
  { mode: 'rens', file: 'notat.txt' },
  { mode: 'fakta', file: 'notat.txt' },
  { mode: 'oppsummer', file: 'oppslag.txt' },
] as const
const clipped = {
  ...{ file: 'artikkel.txt', title: 'Ferja til Steinøya blir elektrisk' },
  sourceUrl: 'https://nordvikposten.example.no/ferja-til-steinoya',
}

/** Asks for what an AI makes of the sample texts and the page of that site, but for what earlier starts have had. */
export async function enqueueTexts(pool: pg.Pool, siteUrl: string): Promise<string[]> {
  const { rows } = await pool.query<{ key: string }>(
    `select coalesce(payload ->> 'mode', job_type) as key from job_queue
     where collection_node_id = $1 and correlation_id = $2 and status = 'completed'`,
    [COLLECTION_ID, TEXTS],
  )
  const done = new Set(rows.map(({ key }) => key))
  const options = (key: string) => ({
    ...{ collectionNodeId: COLLECTION_ID, correlationId: TEXTS },
    unique: { key: `sample ${key}`, until: 'finished' as const },
  })
  const ids: string[] = []
  for (const { mode, file } of processed) {
    if (!done.has(mode)) ids.push((await enqueue(pool, aiTextProcess, { mode, text: await readSample(file) }, options(mode))).id)
  }
  const { file, ...from } = clipped
  if (!done.has(researchClip.type)) {
    ids.push((await enqueue(pool, researchClip, { text: await readSample(file), ...from }, options(researchClip.type))).id)
  }
  if (!done.has(urlIngest.type)) {
    ids.push((await enqueue(pool, urlIngest, { url: `${siteUrl}${SAMPLE_PAGE}` }, options(urlIngest.type))).id)
  }
  return ids
}

async function readSample(file: string): Promise<string> {
  return await readFile(new URL(`../../samples/texts/${file}`, import.meta.url), 'utf8')
}
