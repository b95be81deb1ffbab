import { createHandler } from './handler.ts'
import { meetingSummarize } from './job.ts'

/** The handler package of job type `meeting_summarize`. */
export default { definition: meetingSummarize, createHandler }
