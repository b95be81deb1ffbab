import { createHandler } from './handler.ts'
import { valgomatModeration } from './job.ts'

/** The handler package of job type `valgomat_moderation`. */
export default { definition: valgomatModeration, createHandler }
