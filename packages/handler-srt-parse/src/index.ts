import { createHandler } from './handler.ts'
import { srtParse } from './job.ts'

/** The handler package of job type `srt_parse`. */
export default { definition: srtParse, createHandler }
