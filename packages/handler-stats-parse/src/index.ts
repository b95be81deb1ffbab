import { createHandler } from './handler.ts'
import { statsParse } from './job.ts'

/** The handler package of job type `stats_parse`. */
export default { definition: statsParse, createHandler }
