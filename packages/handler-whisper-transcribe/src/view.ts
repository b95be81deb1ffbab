import { defineResultView, type ResultPart } from '@sidelinja/jobs-core/admin'
import { transcriptParts, waveformParts, words } from '@sidelinja/jobs-kit/view'
import { z } from 'zod'
import { whisperTranscribe } from './job.ts'

const heard = z.object({
  durationMs: z.number(),
  language: z.string().nullable(),
  segments: z.number(),
  cutShort: z.boolean().default(false),
})
const committed = z.object({ repository: z.string(), path: z.string(), outcome: z.enum(['created', 'updated', 'unchanged']) })

/** What a `whisper_transcribe` job came to: what was said, over the waveform where there is one; or what was committed. */
export const whisperTranscribeView = defineResultView(whisperTranscribe, async ({ payload, result, ...context }) => {
  if ('commitTranscriptOf' in payload) {
    const commit = committed.safeParse(result)
    return commit.success ? [commitFacts(commit.data)] : []
  }
  const told = heard.safeParse(result)
  const waveform = await waveformParts(context, payload.mediaNodeId)
  const transcript = await transcriptParts(context, payload.mediaNodeId)
  return [...(told.success ? hearingParts(told.data) : []), ...waveform.parts, ...transcript]
})

function hearingParts({ durationMs, language, segments, cutShort }: z.infer<typeof heard>): ResultPart[] {
  return [
    ...(segments === 0 ? [{ kind: 'note', tone: 'neutral', text: words.noSpeech } as const] : []),
    ...(cutShort ? [{ kind: 'note', tone: 'warn', text: words.cutShort } as const] : []),
    {
      kind: 'facts',
      rows: [
        { label: words.duration, value: { durationMs } },
        { label: words.language, value: language },
        { label: words.segments, value: segments },
      ],
    },
  ]
}

const outcomes = {
  created: { nb: 'ny fil', nn: 'ny fil', en: 'a new file' },
  updated: { nb: 'ny utgave', nn: 'ny utgåve', en: 'a new version' },
  unchanged: { nb: 'var slik fra før', nn: 'var slik frå før', en: 'it was so already' },
}

function commitFacts({ repository, path, outcome }: z.infer<typeof committed>): ResultPart {
  return {
    kind: 'facts',
    rows: [
      { label: { nb: 'Repo', nn: 'Repo', en: 'Repository' }, value: repository },
      { label: { nb: 'Fil', nn: 'Fil', en: 'File' }, value: path },
      { label: { nb: 'Hva som skjedde', nn: 'Kva som skjedde', en: 'What happened' }, value: outcomes[outcome] },
    ],
  }
}
