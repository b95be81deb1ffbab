import { createHandler } from './handler.ts'
import { openrouterAnalyze } from './job.ts'

/** The handler package of job type `openrouter_analyze`. */
export default { definition: openrouterAnalyze, createHandler }
