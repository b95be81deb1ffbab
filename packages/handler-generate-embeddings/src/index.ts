import { createHandler } from './handler.ts'
import { generateEmbeddings } from './job.ts'

/** The handler package of job type `generate_embeddings`. */
export default { definition: generateEmbeddings, createHandler }
