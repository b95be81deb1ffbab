import { readFileSync } from 'node:fs'
import { type GatewayStandInOptions, gatewayReply } from '@sidelinja/jobs-kit/testing'

interface Recorded {
  issues: Record<string, { for: string[]; against: string[] }>
  questions: { text: string; verdict: string; neutral_text: string | null; changes: string[]; flags: string[] }[]
}

interface Asked {
  pairs?: { n: number; a: string; b: string }[]
  questions?: { n: number; text: string }[]
}

/** The sample's questions, and what a model said about them. */
export function readRecordedModeration(): Recorded {
  return JSON.parse(readFileSync(new URL('../../samples/moderation.json', import.meta.url), 'utf8'))
}

/** Answers what is asked about the sample's questions with recorded replies; anything else the demo model answers. */
export function answerModeration({ issues, questions }: Recorded): NonNullable<GatewayStandInOptions['answer']> {
  const stances = new Map<string, { issue: string; side: 'for' | 'against' }>(
    Object.entries(issues).flatMap(([issue, sides]) => [
      ...sides.for.map((text) => [text, { issue, side: 'for' as const }] as const),
      ...sides.against.map((text) => [text, { issue, side: 'against' as const }] as const),
    ]),
  )
  const relate = (a: string, b: string) => {
    const [left, right] = [stances.get(a), stances.get(b)]
    if (left === undefined || right === undefined || left.issue !== right.issue) return 'different'
    return left.side === right.side ? 'same' : 'opposite'
  }
  const recorded = new Map(questions.map(({ text, ...reply }) => [text, reply]))
  return ({ chat }) => {
    const asked = dataOf(chat?.messages[1]?.content)
    if (asked.pairs?.every(({ a, b }) => stances.has(a) || stances.has(b))) {
      return gatewayReply(JSON.stringify({ pairs: asked.pairs.map(({ n, a, b }) => ({ n, relation: relate(a, b) })) }))
    }
    if (asked.questions?.every(({ text }) => recorded.has(text))) {
      return gatewayReply(JSON.stringify({ questions: asked.questions.map(({ n, text }) => ({ n, ...recorded.get(text) })) }))
    }
    return undefined
  }
}

/** Data stands between two markers, on a line of its own; nothing for what asks in another way. */
function dataOf(content: unknown): Asked {
  if (typeof content !== 'string') return {}
  try {
    return (JSON.parse(content.split('\n')[1] ?? 'null') ?? {}) as Asked
  } catch {
    return {}
  }
}
