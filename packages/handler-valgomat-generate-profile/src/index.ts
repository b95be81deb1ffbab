import { createHandler } from './handler.ts'
import { valgomatGenerateProfile } from './job.ts'

/** The handler package of job type `valgomat_generate_profile`. */
export default { definition: valgomatGenerateProfile, createHandler }
