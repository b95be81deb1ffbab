export { decideProfile, type ProfileDecision } from './decide-profile.ts'
export { listProfiles, readProfile, type StoredProfile } from './list-profiles.ts'
export type { ProfileState } from './tables.ts'
export { type NewProfile, upsertProfileDraft } from './upsert-profile-draft.ts'
