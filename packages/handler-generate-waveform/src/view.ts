import { defineResultView, type ResultPart } from '@sidelinja/jobs-core/admin'
import { anotherJob, waveformParts, words } from '@sidelinja/jobs-kit/view'
import { z } from 'zod'
import { generateWaveform } from './job.ts'

const told = z.object({ sampleRate: z.number(), cutShort: z.boolean() })

/** What a `generate_waveform` job came to: the waveform as it stands. */
export const generateWaveformView = defineResultView(generateWaveform, async ({ payload, result, ...context }) => {
  const { parts, jobId } = await waveformParts(context, payload.mediaNodeId)
  const drawn = told.safeParse(result)
  return [...anotherJob(context.job, jobId), ...parts, ...(drawn.success ? drawnParts(drawn.data) : [])]
})

function drawnParts({ sampleRate, cutShort }: z.infer<typeof told>): ResultPart[] {
  return [
    ...(cutShort ? [{ kind: 'note', tone: 'warn', text: words.cutShort } as const] : []),
    {
      kind: 'facts',
      rows: [{ label: { nb: 'Målinger i sekundet (Hz)', nn: 'Målingar i sekundet (Hz)', en: 'Samples a second (Hz)' }, value: sampleRate }],
    },
  ]
}
