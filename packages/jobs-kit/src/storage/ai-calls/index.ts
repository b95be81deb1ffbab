export { type AiCall, insertAiCall } from './insert-ai-call.ts'
export { type AiCosts, sumAiCosts } from './sum-ai-costs.ts'
