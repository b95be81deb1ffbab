export { readAnalysis, type StoredAnalysis } from './read-analysis.ts'
export { type NewAnalysis, upsertAnalysis } from './upsert-analysis.ts'
