import type { Dialect } from '../dialect.ts'

/**
 * speaches, before that faster-whisper-server. Fields that a version does not know are ignored by it, so all are sent: `vad_filter` (until 0.8),
 * `without_timestamps` (from 0.9, where the standard gives cues of thirty seconds), `threads` (none; for a proxy that does).
 */
export const speaches: Dialect = {
  pieceFormat: 'flac',
  defaultModel: 'Systran/faster-whisper-large-v3',
  toCall: ({ model, format, language, names, before, threads }) => ({
    path: 'v1/audio/transcriptions',
    query: {},
    fileField: 'file',
    fields: {
      ...{ model, language, response_format: format, temperature: '0', vad_filter: 'true', without_timestamps: 'false' },
      'timestamp_granularities[]': format === 'verbose_json' ? 'segment' : undefined,
      ...{ hotwords: names, prompt: before, threads: threads?.toString() },
    },
  }),
}
