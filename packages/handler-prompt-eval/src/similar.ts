import { cosine } from '@sidelinja/jobs-kit'
import { PROMPT_VERSION } from './questions.ts'
import { type Bench, fingerprint, type Verdict, verdictStep } from './verdict.ts'

const none = { found: null, reason: null, quote: null, error: null }

/** How near an output is to a text in what it means: the cosine of their vectors, from the collection's model for them. */
export async function askSimilarity(
  bench: Bench,
  { name, criterion, output }: { name: string; criterion: string; output: string },
): Promise<Verdict> {
  const { gateway, context, settings, maxJobUsd } = bench
  // Nothing has no vector.
  if (output.trim() === '') return { ...none, found: { pass: false, score: 0 }, costUsd: 0, untold: false }
  const step = `similar ${name} ${fingerprint([PROMPT_VERSION, settings.models.embedding, criterion, output])}`
  return await verdictStep<Verdict>(bench, step, {
    none,
    async ask(onCall) {
      const request = { name: `similar-${name}`, texts: [output, criterion], promptVersion: PROMPT_VERSION, maxJobUsd, onCall }
      const [one, other] = await gateway.embed(context, settings, request)
      const score = one && other ? Math.min(1, Math.max(0, cosine(one, other))) : 0
      return { ...none, found: { pass: true, score: Number(score.toFixed(6)) } }
    },
  })
}
