export { readWaveform, type StoredWaveform } from './read-waveform.ts'
export type { WaveformLevel } from './tables.ts'
export { type NewWaveforms, upsertWaveforms } from './upsert-waveforms.ts'
