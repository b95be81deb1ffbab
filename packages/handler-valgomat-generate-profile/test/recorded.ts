import { readFileSync } from 'node:fs'

/** An answer of the gateway about the sample programme, as it came. */
export const recorded = JSON.parse(readFileSync(new URL('fixtures/programme-reply.json', import.meta.url), 'utf8'))

/** What the model says in it. */
export const reply: { stances: { evidence: { page: number; quote: string }[]; [key: string]: unknown }[] } = JSON.parse(
  recorded.choices[0].message.content,
)
