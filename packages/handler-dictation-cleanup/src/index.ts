import { createHandler } from './handler.ts'
import { dictationCleanup } from './job.ts'

/** The handler package of job type `dictation_cleanup`. */
export default { definition: dictationCleanup, createHandler }
