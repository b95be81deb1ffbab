import { type Minutes, meetingSummarize } from '@sidelinja/handler-meeting-summarize/job'
import { type RoughSegment, tidySegments } from '@sidelinja/jobs-kit'
import { readMinutes, replaceSegments } from '@sidelinja/jobs-kit/storage'
import { Kysely, PostgresDialect } from 'kysely'
import type pg from 'pg'
import { COLLECTION_ID } from '../collection.ts'
import { indent } from '../indent.ts'
import { keepNode, readSample, type Sample } from './sample.ts'

const SECONDS = 6

/** Minutes of two meetings, one in each written form of Norwegian. */
export const meetings: readonly Sample[] = [
  meeting({
    ...{ id: '5a1de11a-0000-4000-8000-000000000011', file: 'styremote.txt', title: 'Styremøte i Nordvik roklubb' },
    ...{ date: '2026-12-01', attendees: ['Marit Solheim', 'Selma Haugen', 'Jonas Lie-Eriksen'] },
  }),
  meeting({
    ...{ id: '5a1de11a-0000-4000-8000-000000000012', file: 'arsmote.txt', title: 'Årsmøte i Fjellbygda mållag' },
    ...{ date: '2026-12-10', attendees: ['Gunnhild Bakke', 'Olav Tveit', 'Ingebjørg Nesse'] },
  }),
]

interface Meeting {
  readonly id: string
  readonly file: string
  readonly title: string
  readonly date: string
  readonly attendees: readonly string[]
}

function meeting({ id, file, title, date, attendees }: Meeting): Sample {
  return {
    ...{ key: file, type: meetingSummarize.type },
    async prepare(pool) {
      await keepNode(pool, { id, kind: 'meeting', title, metadata: { meeting: { date, attendees } } })
      await keepTranscript(pool, id, await readSample(file))
      return { mediaNodeId: id }
    },
    async show(db) {
      const minutes = (await readMinutes(db, COLLECTION_ID, id))?.content as Minutes | undefined
      return minutes ? describe(title, minutes) : ''
    },
  }
}

/** As a transcription leaves it: each line a segment. */
async function keepTranscript(pool: pg.Pool, mediaNodeId: string, text: string): Promise<void> {
  const rough = text
    .trim()
    .split('\n')
    .map((line, n): RoughSegment => ({ startMs: n * SECONDS * 1_000, endMs: (n + 1) * SECONDS * 1_000, text: line }))
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  const transcript = { jobId: null, language: 'no', segments: tidySegments(rough) }
  await db.transaction().execute((trx) => replaceSegments(trx, COLLECTION_ID, mediaNodeId, transcript))
}

function describe(title: string, { summary, decisions, actionPoints, openQuestions }: Minutes): string {
  const who = ({ owner, dueDate }: Minutes['actionPoints'][number]) => [owner, dueDate].filter((known) => known !== null).join(', ')
  return [
    `\nMinutes: ${title}\n`,
    indent(summary),
    ...decisions.map(({ text }) => indent(`Decided: ${text}`)),
    ...actionPoints.map((point) => indent(`To do: ${point.text}${who(point) && ` (${who(point)})`}`)),
    ...openQuestions.map(({ text }) => indent(`Open: ${text}`)),
  ].join('\n')
}
