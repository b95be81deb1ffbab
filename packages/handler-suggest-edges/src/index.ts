import { createHandler } from './handler.ts'
import { suggestEdges } from './job.ts'

/** The handler package of job type `suggest_edges`. */
export default { definition: suggestEdges, createHandler }
