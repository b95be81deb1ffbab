import type { Dialect } from '../dialect.ts'
import type { TranscriptionDialect } from '../transcription.ts'
import { asrWebservice } from './asr-webservice.ts'
import { openai } from './openai.ts'
import { speaches } from './speaches.ts'
import { whisperCpp } from './whisper-cpp.ts'

/** Every kind of server, by the name it is configured with. */
export const dialects: Record<TranscriptionDialect, Dialect> = {
  speaches,
  openai,
  'whisper.cpp': whisperCpp,
  'asr-webservice': asrWebservice,
}
