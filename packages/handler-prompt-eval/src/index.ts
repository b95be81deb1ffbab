import { createHandler } from './handler.ts'
import { promptEval } from './job.ts'

/** The handler package of job type `prompt_eval`. */
export default { definition: promptEval, createHandler }
