import { type Summary, summarizeCommunication } from '@sidelinja/handler-summarize-communication/job'
import { readSummary } from '@sidelinja/jobs-kit/storage'
import type pg from 'pg'
import { COLLECTION_ID } from '../collection.ts'
import { indent } from '../indent.ts'
import { keepNode, readSample, type Sample } from './sample.ts'

/** Summaries of two chats, one in each written form of Norwegian. */
export const chats: readonly Sample[] = [
  chat({ id: '5a1de11a-0000-4000-8000-000000000021', file: 'styrechat.txt', title: 'Styret i ungdomsrådet' }),
  chat({ id: '5a1de11a-0000-4000-8000-000000000022', file: 'korchat.txt', title: 'Koret' }),
]

function chat({ id, file, title }: { id: string; file: string; title: string }): Sample {
  return {
    ...{ key: file, type: summarizeCommunication.type },
    async prepare(pool) {
      await keepNode(pool, { id, kind: 'chat', title })
      await keepMessages(pool, id, await readSample(file))
      return { nodeId: id }
    },
    async show(db) {
      const found = await readSummary(db, COLLECTION_ID, id)
      if (!found) return ''
      const { language } = (found.metadata as { summary: Summary }).summary
      return `\n${found.title} (${language ?? 'language not known'})\n\n${indent(found.content ?? '')}`
    },
  }
}

/** Each line is a message, as the host's application would keep it; made once. */
async function keepMessages(pool: pg.Pool, chatId: string, text: string): Promise<void> {
  const lines = text.trim().split('\n')
  await pool.query(
    `with said as (
       insert into nodes (kind, content, metadata, created_at)
       select 'message', regexp_replace(line, '^[^:]+: ', ''), jsonb_build_object('author', split_part(line, ':', 1)), now() + n * interval '1 ms'
       from unnest($2::text[]) with ordinality t (line, n) where not exists (select from edges where source_id = $1)
       returning id)
     insert into edges (source_id, target_id, kind) select $1, id, 'contains' from said`,
    [chatId, lines],
  )
}
