import { createHandler } from './handler.ts'
import { urlIngest } from './job.ts'

/** The handler package of job type `url_ingest`. */
export default { definition: urlIngest, createHandler }
