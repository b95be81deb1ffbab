export { acceptEdgeSuggestion, rejectEdgeSuggestion } from './decide-edge-suggestion.ts'
export { listEdgeSuggestions, type StoredEdgeSuggestion } from './list-edge-suggestions.ts'
export { type EdgeSuggestion, type SuggestionsOf, upsertEdgeSuggestions } from './upsert-edge-suggestions.ts'
