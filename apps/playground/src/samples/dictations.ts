import { type Dictation, dictationCleanup } from '@sidelinja/handler-dictation-cleanup/job'
import { COLLECTION_ID } from '../collection.ts'
import { indent } from '../indent.ts'
import { readSample, type Sample } from './sample.ts'

interface Note {
  title: string
  content: string
  dictation: Dictation
}

/** Notes of two dictations, one in each written form of Norwegian. */
export const dictations: readonly Sample[] = [dictation('befaring.txt'), dictation('stolstur.txt')]

function dictation(file: string): Sample {
  return {
    ...{ key: file, type: dictationCleanup.type },
    prepare: async () => ({ text: await readSample(file) }),
    async show(_, pool) {
      const { rows } = await pool.query<Note>(
        `select n.title, n.content, n.metadata -> 'dictation' as dictation from nodes n join job_queue j on n.id = (j.result ->> 'nodeId')::uuid
         where j.collection_node_id = $1 and j.correlation_id = $2 and j.status = 'completed' order by j.sequence desc limit 1`,
        [COLLECTION_ID, `sample ${file}`],
      )
      return rows.map(describe).join('')
    },
  }
}

function describe({ title, content, dictation: { uncertain, actionPoints } }: Note): string {
  return [
    `\nNote of a dictation: ${title}\n`,
    indent(content),
    ...actionPoints.map(({ text }) => indent(`To do: ${text}`)),
    ...uncertain.map(({ kind, text }) => indent(`To look at: ${kind} ${text}`)),
  ].join('\n')
}
