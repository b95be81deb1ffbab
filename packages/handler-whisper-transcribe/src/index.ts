import { createHandler } from './handler.ts'
import { whisperTranscribe } from './job.ts'

/** The handler package of job type `whisper_transcribe`. */
export default { definition: whisperTranscribe, createHandler }
