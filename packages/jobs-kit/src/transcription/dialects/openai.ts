import type { Dialect } from '../dialect.ts'
import { asPrompt } from '../prompt.ts'

/** OpenAI's own service, which refuses fields it does not know. Only `whisper-1` gives times. */
export const openai: Dialect = {
  pieceFormat: 'flac',
  defaultModel: 'whisper-1',
  toCall: ({ model, format, language, names, before }) => ({
    path: 'v1/audio/transcriptions',
    query: {},
    fileField: 'file',
    fields: {
      ...{ model, language, response_format: format, temperature: '0' },
      'timestamp_granularities[]': format === 'verbose_json' ? 'segment' : undefined,
      prompt: asPrompt(names, before),
    },
  }),
}
