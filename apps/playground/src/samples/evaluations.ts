import { promptEval, type Result } from '@sidelinja/handler-prompt-eval/job'
import { COLLECTION_ID } from '../collection.ts'
import { indent } from '../indent.ts'
import type { Sample } from './sample.ts'

const models = ['sidelinja/rutine', 'sidelinja/resonnering']

/** Two evaluations, one in each written form of Norwegian. Own texts. */
export const evaluations: readonly Sample[] = [
  evaluation('oppsummer på bokmål', {
    prompt: 'Oppsummer i én setning: {{tekst}}',
    tests: [
      {
        description: 'tid og sted er med',
        vars: { tekst: 'Årsmøtet i Fjellbygda velforening holdes i grendehuset torsdag klokka 18. Det blir kaffe.', tid: '18' },
        assert: [
          { type: 'contains', value: '{{tid}}' },
          { type: 'icontains', value: 'grendehuset' },
        ],
      },
      {
        description: 'tallet er riktig',
        vars: { tekst: 'Kommunen har satt av 640 000 kroner til nytt tak på fritidsklubben. Arbeidet starter i mai.' },
        assert: [{ type: 'regex', value: '640[\\s\u00a0]?000' }, { type: 'not-is-refusal' }],
      },
      {
        description: 'svarer med JSON',
        vars: { tekst: 'Ferja er innstilt i dag.' },
        assert: [{ type: 'is-json', value: { type: 'object' } }],
      },
    ],
  }),
  evaluation('held seg til nynorsk', {
    prompt: 'Oppsummer kort, på nynorsk: {{tekst}}',
    tests: [
      {
        description: 'skriv ikkje om til bokmål',
        vars: { tekst: 'Dugnaden på bryggja er flytta til laurdag, fordi det er meldt storm fredag. Ta med eigen hammar.' },
        assert: [
          { type: 'icontains', value: 'laurdag' },
          { type: 'not-icontains', value: 'lørdag' },
        ],
      },
      {
        description: 'er nær det som vart sagt',
        vars: { tekst: 'Songkoret øver no måndagar klokka sju.' },
        assert: [{ type: 'rouge-n', value: 'Songkoret øver måndagar klokka sju.', threshold: 0.6 }],
      },
    ],
  }),
]

function evaluation(key: string, payload: { prompt: string; tests: readonly object[] }): Sample {
  return {
    ...{ key, type: promptEval.type },
    prepare: async () => JSON.parse(JSON.stringify({ ...payload, models })),
    async show(_, pool) {
      const { rows } = await pool.query<{ result: Result }>(
        `select result from job_queue where collection_node_id = $1 and correlation_id = $2 and status = 'completed' order by sequence desc limit 1`,
        [COLLECTION_ID, `sample ${key}`],
      )
      return rows.map(({ result }) => describe(key, result)).join('')
    },
  }
}

function describe(key: string, { models: all, cells }: Result): string {
  const rows = all.map(({ model, passed, graded, score }) => `${model}: ${passed} of ${graded} pass, score ${score?.toFixed(2) ?? '-'}`)
  return [`\nPrompt tried: ${key}, ${cells} cells\n`, ...rows.map((row) => indent(row))].join('\n')
}
