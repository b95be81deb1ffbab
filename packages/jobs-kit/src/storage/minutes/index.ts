export { readMinutes, type StoredMinutes } from './read-minutes.ts'
export { type NewMinutes, upsertMinutes } from './upsert-minutes.ts'
