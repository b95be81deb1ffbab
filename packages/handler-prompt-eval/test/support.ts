import { readFileSync } from 'node:fs'
import type { JsonValue } from '@sidelinja/jobs-core'
import { createTestDatabase, insertNode, runHandler, type TestServer } from '@sidelinja/jobs-core/testing'
import { defineHandler, type RunningJob } from '@sidelinja/jobs-core/worker'
import { type CollectionSettingsInput, createServices } from '@sidelinja/jobs-kit'
import { listPromptEvals } from '@sidelinja/jobs-kit/storage'
import { type ChatRequest, type GatewayStandInOptions, gatewayReply, startGatewayStandIn } from '@sidelinja/jobs-kit/testing'
import type { Kysely } from 'kysely'
import { createHandler } from '../src/handler.ts'
import { promptEval, type Result } from '../src/job.ts'

/** What two models said of three prompts, as it was recorded; own texts, in bokmål and nynorsk. */
const recorded: Record<string, Record<string, string>> = JSON.parse(readFileSync(new URL('fixtures/replies.json', import.meta.url), 'utf8'))
export const models = ['liten', 'stor']
export const judge = 'dommer'

/** Tests of those prompts: the first two go well, the third is for the stricter one. */
export const tests = [
  {
    description: 'tid og sted',
    vars: { tekst: 'Møtet starter klokka 18 i grendehuset, og alle er velkomne.', tid: '18' },
    assert: [
      { type: 'contains', value: '{{tid}}' },
      { type: 'icontains-all', value: ['grendehuset', 'møtet'] },
    ],
  },
  {
    description: 'held seg til nynorsk',
    vars: { tekst: 'Dugnaden på bryggja er flytta til laurdag fordi det er meldt storm fredag.' },
    assert: [
      { type: 'regex', value: '\\b(?:flytta|laurdag)\\b' },
      { type: 'not-contains', value: 'lørdag' },
    ],
  },
  {
    description: 'bare JSON',
    vars: { tekst: 'Svar bare med JSON: hva heter ordføreren i Fjellbygda? Ordføreren heter Ola Berg.' },
    assert: [{ type: 'is-json', value: { type: 'object', properties: { navn: { const: 'Ola Berg' } }, required: ['navn'] } }],
  },
]
export const payload = { prompt: '{{tekst}}', tests, models }

/** What was recorded for this call; undefined for one of the judge. */
export function reply(chat: ChatRequest | undefined): string | undefined {
  return recorded[chat?.model ?? '']?.[chat?.messages.at(-1)?.content ?? '']
}

/** The rubric and the output that the judge was given. */
export function judged(chat: ChatRequest | undefined): Record<string, string> {
  const between = /^(=====DATA [0-9a-f]+=====)\n([\s\S]*?)\n\1/m.exec(chat?.messages[1]?.content ?? '')?.[2]
  return JSON.parse(between ?? '{}')
}

type Answer = NonNullable<GatewayStandInOptions['answer']>

/** A gateway, a database and a handler of their own. */
export async function setup(server: TestServer, { answer, ...standIn }: GatewayStandInOptions = {}) {
  const database = await createTestDatabase(server)
  const spoken: { answer: Answer | undefined } = { answer }
  const gateway = await startGatewayStandIn({
    models: [...models, judge],
    usdPerMillionTokens: { prompt: 100, completion: 0 },
    ...standIn,
    answer: (request) => spoken.answer?.(request) ?? gatewayReply(reply(request.chat) ?? 'Ja.'),
  })
  const db = database.db as unknown as Kysely<unknown>
  const services = createServices({ db, gateway: { url: new URL(gateway.url), timeoutMs: 20_000 } })
  const handler = createHandler(services)
  let from = 0

  return {
    ...database,
    ...{ gateway, handler },
    /** What the models say from now on; undefined for what was recorded. Forgets what was asked. */
    says(next?: Answer) {
      spoken.answer = next
      from = gateway.requests.length
      gateway.recover()
    },
    /** What was asked since then. */
    asked: () => gateway.requests.slice(from),
    async collection(settings: CollectionSettingsInput = {}) {
      return (await insertNode(database.db, { metadata: JSON.stringify({ jobs: { models: { reasoning: judge }, ...settings } }) })).id
    },
    /** One attempt, as the queue makes it. What its steps store is put into `steps`, also where it fails. */
    async evaluate(given: object, { job, steps = {} }: { job: Partial<RunningJob>; steps?: Record<string, JsonValue> }) {
      const keeping = defineHandler(promptEval, (context) => {
        const step: typeof context.step = async (name, fn) => {
          const value = await context.step(name, fn)
          steps[name] = value
          return value
        }
        return handler.run({ ...context, step })
      })
      return await runHandler<Result>(keeping, { payload: given, db, job, steps: { ...steps } })
    },
    stored: (collectionNodeId: string, jobId: string) => listPromptEvals(db, collectionNodeId, { jobId }),
    async drop() {
      await gateway.close()
      await database.drop()
    },
  }
}
