import { valgomatModeration } from '@sidelinja/handler-valgomat-moderation/job'
import { listModerations, type StoredModeration } from '@sidelinja/jobs-kit/storage'
import type pg from 'pg'
import { COLLECTION_ID } from '../collection.ts'
import { readRecordedModeration } from './moderation-replies.ts'
import { keepNode, type Sample } from './sample.ts'

const idOf = (index: number) => `5a1de11a-0000-4000-8000-0000000003${String(index).padStart(2, '0')}`

/** Questions for a voting advice application, for and against, in both written forms of Norwegian; their replies are recorded. */
export const moderations: readonly Sample[] = [
  {
    ...{ key: 'moderation', type: valgomatModeration.type },
    async prepare(pool) {
      const { questions } = readRecordedModeration()
      for (const [index, { text }] of questions.entries()) await keepNode(pool, { id: idOf(index), kind: 'question', title: text })
      return { questionNodeIds: questions.map((_, index) => idOf(index)) }
    },
    async show(db, pool) {
      const moderated = await listModerations(db, COLLECTION_ID)
      if (moderated.length === 0) return ''
      const texts = await readTitles(pool)
      const heading = '\nQuestions moderated, by recorded replies; they wait for somebody to accept or reject them\n'
      return [heading, ...moderated.toSorted((a, b) => a.questionId.localeCompare(b.questionId)).map((each) => describe(each, texts))].join(
        '\n',
      )
    },
  },
]

function describe(question: StoredModeration, texts: ReadonlyMap<string, string>): string {
  const { questionId, original, neutralText, flags, clusterOf, duplicateOf, opposites } = question
  const said = [
    ...(neutralText === null ? [] : [`in neutral words: ${neutralText}`]),
    ...(flags.length > 0 ? [`flags: ${flags.join(', ')}`] : []),
    ...(clusterOf === questionId ? [] : [`asks the same as: ${texts.get(clusterOf)}`]),
    ...(duplicateOf === null ? [] : [`is there already: ${texts.get(duplicateOf)}`]),
    ...opposites.map((id) => `asks the opposite of: ${texts.get(id)}`),
  ]
  return [`  ${question.verdict.padEnd(7)}  ${original}`, ...said.map((line) => `           ${line}`)].join('\n')
}

async function readTitles(pool: pg.Pool): Promise<Map<string, string>> {
  const { rows } = await pool.query<{ id: string; title: string }>(`select id, title from nodes where kind in ('question', 'statement')`)
  return new Map(rows.map(({ id, title }) => [id, title]))
}
