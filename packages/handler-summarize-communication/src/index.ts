import { createHandler } from './handler.ts'
import { summarizeCommunication } from './job.ts'

/** The handler package of job type `summarize_communication`. */
export default { definition: summarizeCommunication, createHandler }
