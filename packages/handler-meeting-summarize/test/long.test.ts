import { type ChatRequest, type GatewayRequest, gatewayReply, scriptedGatewayAnswer } from '@sidelinja/jobs-kit/testing'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { setup } from './support.ts'

let t: Awaited<ReturnType<typeof setup>>
beforeAll(async () => {
  t = await setup(inject('server'))
})
afterAll(() => t.drop())

type Data = { segments?: { segment: number; text: string }[]; summaries?: string[] }
const dataOf = (chat: ChatRequest): Data => JSON.parse(chat.messages[1]?.content.split('\n')[1] ?? 'null')

/** Decides in each part what its first segment says, and again what the meeting decided first. */
function answer({ chat }: GatewayRequest) {
  const { segments, summaries } = chat ? dataOf(chat) : {}
  if (!segments) return gatewayReply(JSON.stringify({ summary: `Av ${summaries?.length} deler.` }))
  // The model has less room than what is sent at once: parts are halved.
  if (segments.length > 60) return scriptedGatewayAnswer('400-context-litellm')
  const decisions = segments.flatMap(({ segment, text }) => (segment % 50 === 1 ? [{ text, evidence: [{ segment, quote: text }] }] : []))
  return gatewayReply(JSON.stringify({ summary: 'En del.', decisions, action_points: [], open_questions: [], attendees_mentioned: [] }))
}

test('a long meeting is read in parts, each segment, and no decision is lost or stands twice', { timeout: 60_000 }, async () => {
  t.answers(answer)
  const texts = Array.from(
    { length: 600 },
    (_, n) => `Vi vedtok da punkt ${1000 + n} om veien over fjellet, som vi har snakket om så lenge i styret.`,
  )
  const arranged = await t.arrange(texts)
  const result = await t.run(arranged)
  expect(result.parts).toBeGreaterThan(3)
  expect(result).toMatchObject({ segments: 600, decisions: 12, dropped: {}, cut: {} })

  const asked = t.gateway.requests.flatMap(({ chat, ended }) => (chat ? [{ data: dataOf(chat), ended }] : []))
  const sent = asked.flatMap(({ data }) => data.segments?.map(({ segment }) => segment) ?? [])
  expect(new Set(sent)).toEqual(new Set(Array.from({ length: 600 }, (_, n) => n + 1)))
  expect(asked.filter(({ data }) => data.segments).length).toBeGreaterThan(result.parts)
  const { content } = (await t.stored(arranged)) ?? {}
  expect(content?.summary).toBe(`Av ${result.parts} deler.`)
  expect(content?.decisions.map(({ evidence }) => evidence[0]?.segment)).toEqual(Array.from({ length: 12 }, (_, n) => n * 50 + 1))
})
