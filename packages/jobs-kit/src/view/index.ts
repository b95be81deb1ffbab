export { anotherJob } from './another-job.ts'
export { transcriptParts } from './transcript-parts.ts'
export { waveformParts } from './waveform-parts.ts'
export { words } from './words.ts'
