import { createHandler } from './handler.ts'
import { generateWaveform } from './job.ts'

/** The handler package of job type `generate_waveform`. */
export default { definition: generateWaveform, createHandler }
