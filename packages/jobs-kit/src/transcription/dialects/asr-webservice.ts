import type { Dialect } from '../dialect.ts'
import { asPrompt } from '../prompt.ts'

/** whisper-asr-webservice: options in the address, the file under another name, JSON served as plain text. */
export const asrWebservice: Dialect = {
  pieceFormat: 'flac',
  defaultModel: '',
  toCall: ({ format, language, names, before }) => ({
    path: 'asr',
    query: {
      ...{ task: 'transcribe', encode: 'true', vad_filter: 'true', output: format === 'srt' ? 'srt' : 'json' },
      ...{ language, initial_prompt: asPrompt(names, before) },
    },
    fileField: 'audio_file',
    fields: {},
  }),
}
