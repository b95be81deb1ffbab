import type { Dialect } from '../dialect.ts'
import { asPrompt } from '../prompt.ts'

/** whisper.cpp's server. It has the model and the threads it was started with, and takes WAV only unless it was started with --convert. */
export const whisperCpp: Dialect = {
  pieceFormat: 'wav',
  defaultModel: '',
  toCall: ({ format, language, names, before }) => ({
    path: 'inference',
    query: {},
    fileField: 'file',
    fields: {
      ...{ response_format: format, temperature: '0', temperature_inc: '0.2' },
      // Without a language the server takes English for granted.
      ...{ language: language ?? 'auto', prompt: asPrompt(names, before) },
    },
  }),
}
