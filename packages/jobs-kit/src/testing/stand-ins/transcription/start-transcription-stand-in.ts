import type { StandIn, StandInOptions } from '../server/stand-in.ts'
import { startStandIn } from '../server/start-stand-in.ts'
import { answerAsrWebservice } from './dialects/asr-webservice.ts'
import { type Dialect, field } from './dialects/dialect.ts'
import { answerOpenAi } from './dialects/openai.ts'
import { answerSpeaches } from './dialects/speaches.ts'
import { answerWhisperCpp } from './dialects/whisper-cpp.ts'
import type { Recognizer } from './recognizer.ts'
import { findPocketsphinx, pocketsphinxRecognizer } from './recognizers/pocketsphinx.ts'
import { recordedRecognizer } from './recognizers/recorded.ts'
import type { VerboseTranscription } from './transcription.ts'
import { takeTurns } from './turns.ts'
import { deleteFolders, receiveForm, type TranscriptionRequest } from './upload.ts'

/** Whose wire format: speaches (once faster-whisper-server), OpenAI, the server of whisper.cpp, or whisper-asr-webservice. */
export type TranscriptionDialect = 'speaches' | 'openai' | 'whisper.cpp' | 'asr-webservice'

/** Which server it stands in for, and who listens. */
export interface TranscriptionStandInOptions extends StandInOptions {
  /** Default speaches. */
  dialect?: TranscriptionDialect
  /** What to answer where pocketsphinx is not installed. Without it and without pocketsphinx the stand-in does not start. */
  recorded?: VerboseTranscription
  /** Who listens; default pocketsphinx where it is installed, else `recorded`. `recordedRecognizer(…)` gives the recorded reply everywhere. */
  recognizer?: Recognizer
  /** The key that is let in; default: any (speaches: none is asked for). */
  apiKey?: string
  /** Models that are installed; default those that the documentation of the dialect names. */
  models?: readonly string[]
}

/** A running stand-in for a transcription server. */
export type TranscriptionStandIn = StandIn<TranscriptionRequest>

const dialects: Record<TranscriptionDialect, Dialect> = {
  speaches: answerSpeaches,
  openai: answerOpenAi,
  'whisper.cpp': answerWhisperCpp,
  'asr-webservice': answerAsrWebservice,
}

const defaultModels: Record<TranscriptionDialect, readonly string[]> = {
  speaches: ['Systran/faster-whisper-large-v3', 'Systran/faster-whisper-small'],
  openai: ['whisper-1', 'gpt-4o-transcribe', 'gpt-4o-mini-transcribe', 'gpt-4o-transcribe-diarize'],
  'whisper.cpp': [],
  'asr-webservice': [],
}

/**
 * A transcription server in the wire format of one of four, errors and oddities included. Files are read as they stream in and kept on
 * disk until the answer is sent; one is listened to at a time, as with one worker of the real server. The field `threads`, which no
 * real server knows, makes it listen with low priority and so many threads.
 */
export async function startTranscriptionStandIn(options: TranscriptionStandInOptions = {}): Promise<TranscriptionStandIn> {
  const { dialect = 'speaches' } = options
  const { recognizer, note } = await chooseRecognizer(options)
  const turn = takeTurns()
  const folders = new WeakMap<TranscriptionRequest, Set<string>>()
  return startStandIn<TranscriptionRequest>(
    {
      describe: () => `a stand-in for ${dialect}: ${recognizer.describe()}${note}`,
      async receive(message, request) {
        const made = new Set<string>()
        folders.set(request, made)
        await receiveForm(message, request, made)
      },
      answer(request, { closing, left }) {
        const threads = Number(field(request, 'threads')) || undefined
        const recognize = (signal: AbortSignal) => (file: Parameters<Recognizer['recognize']>[0]) =>
          turn(() => recognizer.recognize(file, { threads, signal }))
        const models = options.models ?? defaultModels[dialect]
        const context = { request, apiKey: options.apiKey, models, recognize: recognize(closing), recognizeUntilLeft: recognize(left) }
        return Promise.resolve(dialects[dialect](context))
      },
      release: async (request) => deleteFolders(folders.get(request) ?? new Set()),
    },
    options,
  )
}

async function chooseRecognizer({ recognizer, recorded }: TranscriptionStandInOptions): Promise<{ recognizer: Recognizer; note: string }> {
  if (recognizer !== undefined) return { recognizer, note: '' }
  const found = await findPocketsphinx()
  if (found === true) return { recognizer: pocketsphinxRecognizer(), note: '' }
  if (recorded !== undefined) return { recognizer: recordedRecognizer(recorded), note: ` (${found})` }
  throw new Error(
    `Nothing can answer: ${found}, and no recorded reply was given. Install pocketsphinx, pocketsphinx-en-us and ffmpeg, or pass \`recorded\`.`,
  )
}
