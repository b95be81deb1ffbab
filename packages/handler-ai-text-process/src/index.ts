import { createHandler } from './handler.ts'
import { aiTextProcess } from './job.ts'

/** The handler package of job type `ai_text_process`. */
export default { definition: aiTextProcess, createHandler }
