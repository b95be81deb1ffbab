import { createHandler } from './handler.ts'
import { researchClip } from './job.ts'

/** The handler package of job type `research_clip`. */
export default { definition: researchClip, createHandler }
